"""The generator: reads a wire spec (spec/*.wire), checks it and writes C, tests and documents."""
