# "make ragel" writes the committed scanners again. Never a rule with a file for its target: a checkout has no useful
# times, and whoever builds needs no Ragel. Run where the Makefile is, so that only relative names go in.
.PHONY: ragel
ragel:
	ragel -G2 -o src/io/senders_ragel.c src/io/senders.rl
