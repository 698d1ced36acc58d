-- For tests: dissects UDP port 20000 + n as the n-th name in SUBJECTS, by the dissector of the title TITLE.
local dissect_as = _G[os.getenv("TITLE") .. "_dissect_as"]
local port = 20000

for name in os.getenv("SUBJECTS"):gmatch("%S+") do
    local proto = Proto("as_" .. name, "as " .. name)
    function proto.dissector(tvb, pinfo, tree)
        dissect_as(name, tvb, tree)
        return tvb:len()
    end
    DissectorTable.get("udp.port"):add(port, proto)
    port = port + 1
end
