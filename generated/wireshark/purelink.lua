-- Generated from spec/link.wire by codegen; do not edit: run `make generate`.
--
-- A dissector for Wireshark and tshark: what is in clear, always; sealed frames where a capture was unsealed,
-- that is where the tag is all zeros or the preference says so. Lua here cannot decrypt.
--
--   tshark -X lua_script:purelink.lua -d udp.port==7000,purelink -r FILE
--
-- What is malformed carries an expert info: the error and the offset that the decoders name. In the tree each
-- struct is labelled with the line that the product's printers write.

local U = UInt64.new
local proto = Proto("purelink", "Frames inside sealed packets: records travel one way, what was stored is told the other way.")
proto.prefs.port = Pref.uint("UDP port", 0, "Port to dissect; 0: none, use Decode As")
proto.prefs.unsealed = Pref.bool("Frames are in clear", false, "Unsealed, with other tags than zeros")

local malformed =
    ProtoExpert.new("purelink.part-malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
proto.experts = { malformed }

local shown_bytes = 16
local sum_max = U(0, 2^30)

-- A sum over items that stops growing at 2^62.
local function sum(items, each)
    local total = U(0, 0)
    for _, item in ipairs(items) do
        local more = each(item)
        total = more >= sum_max - total and sum_max or total + more
    end
    return total
end

local registries = {
    suite = {
        ["0"] = "COOKIE",
        ["1"] = "AES_128_GCM",
        ["2"] = "CHACHA20_POLY1305",
        ["3"] = "AES_128_GCM_SIV",
    },
    refusal = {
        ["1"] = "FORKED",
        ["2"] = "UNWANTED",
        ["3"] = "TOO_LARGE",
        ["4"] = "STORE_FULL",
        ["5"] = "PAUSED",
        ["6"] = "LIMIT",
        ["7"] = "MALFORMED",
        ["8"] = "FRAMING",
    },
    drop = {
        ["0"] = "NONE",
        ["1"] = "SHORT",
        ["2"] = "LONG",
        ["3"] = "VERSION",
        ["4"] = "RESERVED",
        ["5"] = "SUITE",
        ["6"] = "EPOCH",
        ["7"] = "KEY_ID",
        ["8"] = "OWN_KEY_ID",
        ["9"] = "RUN_SUITE",
        ["10"] = "REPLAY",
        ["11"] = "OLD",
        ["12"] = "SEAL",
        ["13"] = "MALFORMED",
        ["14"] = "EMPTY",
        ["15"] = "COOKIE",
        ["16"] = "LIMIT",
        ["17"] = "BUDGET",
        ["18"] = "QUEUE",
        ["19"] = "TRUNCATED",
        ["20"] = "OVERFLOW",
        ["21"] = "LATER",
        ["22"] = "STRAY",
    },
}

local layouts = {}

layouts["header"] = {
    name = "Header", tag = 0, first = 0, last = 0,
    fields = {
        {
            name = "version",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.version", "Version", base.DEC),
            rules = { { function(v) return (v["version"] == U(1, 0)) end, "VERSION" } },
            bits = 4,
            shift = 4,
            first_bit = 0,
            group = 1,
        },
        {
            name = "suite",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.suite", "Suite", base.DEC),
            rules = {  },
            bits = 2,
            shift = 2,
            first_bit = 4,
            group = 1,
            registry = registries.suite,
        },
        {
            name = "cookie",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.cookie", "Cookie", base.DEC),
            rules = {  },
            bits = 1,
            shift = 1,
            first_bit = 6,
            group = 1,
        },
        {
            name = "reserved",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.reserved", "Reserved", base.DEC),
            rules = { { function(v) return (v["reserved"] == U(0, 0)) end, "NOT_ZERO" } },
            bits = 1,
            shift = 0,
            first_bit = 7,
            group = 1,
        },
        {
            name = "own_epoch",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.own_epoch", "Own Epoch", base.DEC),
            rules = {  },
            bits = 4,
            shift = 4,
            first_bit = 0,
            group = 1,
        },
        {
            name = "peer_epoch",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.peer_epoch", "Peer Epoch", base.DEC),
            rules = {  },
            bits = 4,
            shift = 0,
            first_bit = 4,
            group = 1,
        },
        {
            name = "key_id",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.key_id", "Key Id", base.HEX),
            rules = {  },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "run",
            kind = "uint",
            proto = ProtoField.uint64("purelink.header.run", "Run", base.HEX),
            rules = {  },
            bits = 64,
            shift = 0,
            first_bit = 0,
            group = 8,
        },
        {
            name = "packet_number",
            kind = "uint",
            proto = ProtoField.uint32("purelink.header.packet_number", "Packet Number", base.HEX),
            rules = {  },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
    },
}

layouts["run_info"] = {
    name = "Run Info", tag = 0, first = 0, last = 0,
    fields = {
        {
            name = "label",
            kind = "literal",
            proto = ProtoField.bytes("purelink.run_info.label", "Label"),
            rules = {  },
            bytes = 3,
            literal = "run",
            otherwise = "RANGE",
            derived = true,
        },
        {
            name = "suite",
            kind = "uint",
            proto = ProtoField.uint32("purelink.run_info.suite", "Suite", base.DEC),
            rules = { { function(v) return (v["suite"] <= U(3, 0)) end, "RANGE" } },
            bits = 8,
            shift = 0,
            first_bit = 0,
            group = 1,
            registry = registries.suite,
        },
        {
            name = "direction",
            kind = "uint",
            proto = ProtoField.uint32("purelink.run_info.direction", "Direction", base.DEC),
            rules = { { function(v) return (v["direction"] <= U(1, 0)) end, "RANGE" } },
            bits = 8,
            shift = 0,
            first_bit = 0,
            group = 1,
        },
        {
            name = "epochs",
            kind = "uint",
            proto = ProtoField.uint32("purelink.run_info.epochs", "Epochs", base.DEC),
            rules = {  },
            bits = 8,
            shift = 0,
            first_bit = 0,
            group = 1,
        },
        {
            name = "run",
            kind = "uint",
            proto = ProtoField.uint64("purelink.run_info.run", "Run", base.HEX),
            rules = {  },
            bits = 64,
            shift = 0,
            first_bit = 0,
            group = 8,
        },
    },
}

layouts["ack_range"] = {
    name = "Ack Range", tag = 0, first = 0, last = 0,
    fields = {
        {
            name = "gap",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_range.gap", "Gap", base.DEC),
            rules = {  },
        },
        {
            name = "length",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_range.length", "Length", base.DEC),
            rules = {  },
        },
    },
}

layouts["frame.padding"] = {
    name = "PADDING", tag = 1, first = 0, last = 0,
    fields = {
        {
            name = "length",
            kind = "zeros",
            proto = ProtoField.uint32("purelink.padding.length", "Length", base.DEC),
            rules = {  },
            least = 0,
        },
    },
}

layouts["frame.ping"] = {
    name = "PING", tag = 1, first = 1, last = 1,
    fields = {
    },
}

layouts["frame.to"] = {
    name = "TO", tag = 1, first = 2, last = 2,
    fields = {
        {
            name = "run_tag",
            kind = "uint",
            proto = ProtoField.uint32("purelink.to.run_tag", "Run Tag", base.HEX),
            rules = {  },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
    },
}

layouts["frame.ack"] = {
    name = "ACK", tag = 1, first = 3, last = 3,
    fields = {
        {
            name = "largest",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack.largest", "Largest", base.DEC),
            rules = {  },
        },
        {
            name = "delay",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack.delay", "Delay", base.DEC),
            rules = {  },
        },
        {
            name = "range_count",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack.range_count", "Range Count", base.DEC),
            rules = {  },
        },
        {
            name = "first_range",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack.first_range", "First Range", base.DEC),
            rules = { { function(v) return (v["first_range"] <= v["largest"]) end, "RANGE" } },
        },
        {
            name = "ranges",
            kind = "count",
            proto = ProtoField.none("purelink.ack.ranges", "Ranges"),
            rules = { { function(v) return ((v["first_range"] + sum(v["ranges"], function(v) return ((v["gap"] + v["length"]) + U(2, 0)) end)) <= v["largest"]) end, "RANGE" } },
            length = "range_count",
            item = layouts["ack_range"],
            most = 31,
        },
    },
}

layouts["frame.ack_ecn"] = {
    name = "ACK_ECN", tag = 1, first = 4, last = 4,
    fields = {
        {
            name = "largest",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_ecn.largest", "Largest", base.DEC),
            rules = {  },
        },
        {
            name = "delay",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_ecn.delay", "Delay", base.DEC),
            rules = {  },
        },
        {
            name = "range_count",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_ecn.range_count", "Range Count", base.DEC),
            rules = {  },
        },
        {
            name = "first_range",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_ecn.first_range", "First Range", base.DEC),
            rules = { { function(v) return (v["first_range"] <= v["largest"]) end, "RANGE" } },
        },
        {
            name = "ranges",
            kind = "count",
            proto = ProtoField.none("purelink.ack_ecn.ranges", "Ranges"),
            rules = { { function(v) return ((v["first_range"] + sum(v["ranges"], function(v) return ((v["gap"] + v["length"]) + U(2, 0)) end)) <= v["largest"]) end, "RANGE" } },
            length = "range_count",
            item = layouts["ack_range"],
            most = 31,
        },
        {
            name = "ect0",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_ecn.ect0", "ECT0", base.DEC),
            rules = {  },
        },
        {
            name = "ect1",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_ecn.ect1", "ECT1", base.DEC),
            rules = {  },
        },
        {
            name = "ce",
            kind = "varint",
            proto = ProtoField.uint64("purelink.ack_ecn.ce", "CE", base.DEC),
            rules = {  },
        },
    },
}

layouts["frame.stream"] = {
    name = "STREAM", tag = 1, first = 5, last = 5,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.stream.life", "Life", base.HEX),
            rules = { { function(v) return (v["life"] ~= U(0, 0)) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "first_number",
            kind = "varint",
            proto = ProtoField.uint64("purelink.stream.first_number", "First Number", base.DEC),
            rules = { { function(v) return (v["first_number"] >= U(1, 0)) end, "RANGE" } },
        },
        {
            name = "life_before",
            kind = "uint",
            proto = ProtoField.uint32("purelink.stream.life_before", "Life Before", base.HEX),
            rules = { { function(v) return ((v["life_before"] == U(0, 0)) == (v["first_number"] == U(1, 0))) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "birth",
            kind = "uint",
            proto = ProtoField.uint64("purelink.stream.birth", "Birth", base.HEX),
            rules = {  },
            bits = 64,
            shift = 0,
            first_bit = 0,
            group = 8,
        },
        {
            name = "name_length",
            kind = "uint",
            proto = ProtoField.uint32("purelink.stream.name_length", "Name Length", base.DEC),
            rules = {  },
            bits = 8,
            shift = 0,
            first_bit = 0,
            group = 1,
            derived = true,
        },
        {
            name = "name",
            kind = "bytes",
            proto = ProtoField.string("purelink.stream.name", "Name"),
            rules = {  },
            length = "name_length",
            text = true,
        },
    },
}

layouts["frame.records"] = {
    name = "RECORDS", tag = 1, first = 6, last = 6,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.records.life", "Life", base.HEX),
            rules = { { function(v) return (v["life"] ~= U(0, 0)) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "offset",
            kind = "varint",
            proto = ProtoField.uint64("purelink.records.offset", "Offset", base.DEC),
            rules = {  },
        },
        {
            name = "bytes",
            kind = "rest",
            proto = ProtoField.bytes("purelink.records.bytes", "Bytes"),
            rules = { { function(v) return ((v["offset"] + U(#v["bytes"], 0)) <= U(4294967295, 1073741823)) end, "RANGE" } },
            least = 1,
        },
    },
}

layouts["frame.records_length"] = {
    name = "RECORDS_LENGTH", tag = 1, first = 7, last = 7,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.records_length.life", "Life", base.HEX),
            rules = { { function(v) return (v["life"] ~= U(0, 0)) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "offset",
            kind = "varint",
            proto = ProtoField.uint64("purelink.records_length.offset", "Offset", base.DEC),
            rules = {  },
        },
        {
            name = "length",
            kind = "varint",
            proto = ProtoField.uint64("purelink.records_length.length", "Length", base.DEC),
            rules = { { function(v) return (v["length"] >= U(1, 0)) end, "RANGE" } },
            derived = true,
        },
        {
            name = "bytes",
            kind = "bytes",
            proto = ProtoField.bytes("purelink.records_length.bytes", "Bytes"),
            rules = { { function(v) return ((v["offset"] + v["length"]) <= U(4294967295, 1073741823)) end, "RANGE" } },
            length = "length",
        },
    },
}

layouts["frame.gap"] = {
    name = "GAP", tag = 1, first = 8, last = 8,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.gap.life", "Life", base.HEX),
            rules = { { function(v) return (v["life"] ~= U(0, 0)) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "upto",
            kind = "varint",
            proto = ProtoField.uint64("purelink.gap.upto", "Upto", base.DEC),
            rules = { { function(v) return (v["upto"] >= U(1, 0)) end, "RANGE" } },
        },
        {
            name = "offset",
            kind = "varint",
            proto = ProtoField.uint64("purelink.gap.offset", "Offset", base.DEC),
            rules = {  },
        },
    },
}

layouts["frame.ask"] = {
    name = "ASK", tag = 1, first = 9, last = 9,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.ask.life", "Life", base.HEX),
            rules = { { function(v) return (v["life"] ~= U(0, 0)) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
    },
}

layouts["frame.stored"] = {
    name = "STORED", tag = 1, first = 10, last = 10,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.stored.life", "Life", base.HEX),
            rules = { { function(v) return (v["life"] ~= U(0, 0)) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "number",
            kind = "varint",
            proto = ProtoField.uint64("purelink.stored.number", "Number", base.DEC),
            rules = {  },
        },
        {
            name = "window",
            kind = "varint",
            proto = ProtoField.uint64("purelink.stored.window", "Window", base.DEC),
            rules = {  },
        },
    },
}

layouts["frame.unbound"] = {
    name = "UNBOUND", tag = 1, first = 11, last = 11,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.unbound.life", "Life", base.HEX),
            rules = { { function(v) return (v["life"] ~= U(0, 0)) end, "RANGE" } },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
    },
}

layouts["frame.refused"] = {
    name = "REFUSED", tag = 1, first = 12, last = 12,
    fields = {
        {
            name = "life",
            kind = "uint",
            proto = ProtoField.uint32("purelink.refused.life", "Life", base.HEX),
            rules = {  },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
        {
            name = "number",
            kind = "varint",
            proto = ProtoField.uint64("purelink.refused.number", "Number", base.DEC),
            rules = {  },
        },
        {
            name = "code",
            kind = "varint",
            proto = ProtoField.uint64("purelink.refused.code", "Code", base.DEC),
            rules = { { function(v) return ((v["life"] ~= U(0, 0)) or (v["code"] == U(7, 0))) end, "RANGE" } },
            registry = registries.refusal,
        },
        {
            name = "detail_length",
            kind = "uint",
            proto = ProtoField.uint32("purelink.refused.detail_length", "Detail Length", base.DEC),
            rules = { { function(v) return (v["detail_length"] <= U(128, 0)) end, "RANGE" } },
            bits = 8,
            shift = 0,
            first_bit = 0,
            group = 1,
            derived = true,
        },
        {
            name = "detail",
            kind = "bytes",
            proto = ProtoField.string("purelink.refused.detail", "Detail"),
            rules = {  },
            length = "detail_length",
            text = true,
        },
    },
}

layouts["frame.path_challenge"] = {
    name = "PATH_CHALLENGE", tag = 1, first = 13, last = 13,
    fields = {
        {
            name = "value",
            kind = "uint",
            proto = ProtoField.uint64("purelink.path_challenge.value", "Value", base.HEX),
            rules = {  },
            bits = 64,
            shift = 0,
            first_bit = 0,
            group = 8,
        },
    },
}

layouts["frame.path_response"] = {
    name = "PATH_RESPONSE", tag = 1, first = 14, last = 14,
    fields = {
        {
            name = "value",
            kind = "uint",
            proto = ProtoField.uint64("purelink.path_response.value", "Value", base.HEX),
            rules = {  },
            bits = 64,
            shift = 0,
            first_bit = 0,
            group = 8,
        },
    },
}

layouts["frame.epoch"] = {
    name = "EPOCH", tag = 1, first = 15, last = 15,
    fields = {
        {
            name = "number",
            kind = "uint",
            proto = ProtoField.uint64("purelink.epoch.number", "Number", base.HEX),
            rules = { { function(v) return (v["number"] ~= U(0, 0)) end, "RANGE" } },
            bits = 64,
            shift = 0,
            first_bit = 0,
            group = 8,
        },
        {
            name = "public_key",
            kind = "fixed",
            proto = ProtoField.bytes("purelink.epoch.public_key", "Public Key"),
            rules = {  },
            bytes = 32,
        },
    },
}

layouts["frame.epoch_ok"] = {
    name = "EPOCH_OK", tag = 1, first = 16, last = 16,
    fields = {
        {
            name = "number",
            kind = "uint",
            proto = ProtoField.uint64("purelink.epoch_ok.number", "Number", base.HEX),
            rules = { { function(v) return (v["number"] ~= U(0, 0)) end, "RANGE" } },
            bits = 64,
            shift = 0,
            first_bit = 0,
            group = 8,
        },
        {
            name = "digest",
            kind = "uint",
            proto = ProtoField.uint32("purelink.epoch_ok.digest", "Digest", base.HEX),
            rules = {  },
            bits = 32,
            shift = 0,
            first_bit = 0,
            group = 4,
        },
    },
}

layouts["frame.extension"] = {
    name = "EXTENSION", tag = 1, first = 64, last = 255,
    type_field = ProtoField.uint32("purelink.extension.type", "Type", base.HEX),
    fields = {
        {
            name = "length",
            kind = "varint",
            proto = ProtoField.uint64("purelink.extension.length", "Length", base.DEC),
            rules = {  },
            derived = true,
        },
        {
            name = "body",
            kind = "bytes",
            proto = ProtoField.bytes("purelink.extension.body", "Body"),
            rules = {  },
            length = "length",
        },
    },
}

local subjects = {}
subjects["header"] = { layouts["header"], }
subjects["run_info"] = { layouts["run_info"], }
subjects["ack_range"] = { layouts["ack_range"], }
subjects["frame"] = { layouts["frame.padding"], layouts["frame.ping"], layouts["frame.to"], layouts["frame.ack"], layouts["frame.ack_ecn"], layouts["frame.stream"], layouts["frame.records"], layouts["frame.records_length"], layouts["frame.gap"], layouts["frame.ask"], layouts["frame.stored"], layouts["frame.unbound"], layouts["frame.refused"], layouts["frame.path_challenge"], layouts["frame.path_response"], layouts["frame.epoch"], layouts["frame.epoch_ok"], layouts["frame.extension"], }

local packets = {
    {
        name = "Packet",
        { kind = "authenticated", name = "Header", subject = subjects["header"], least_bytes = 18, },
        { kind = "sealed", name = "Frame", subject = subjects["frame"], least = 1, most = 64, tag = 16, least_bytes = 17, },
        { kind = "plain", name = "Cookie Value", bytes = 16, present = function(v) return (v["cookie"] == U(1, 0)) end, least_bytes = 0, },
    },
    {
        name = "Cookie Packet",
        { kind = "authenticated", name = "Header", subject = subjects["header"], least_bytes = 18, },
        { kind = "plain", name = "Cookie Value", bytes = 16, least_bytes = 16, },
    },
}

local part_fields, all_fields = {}, {}
for symbol, layout in pairs(layouts) do
    layout.struct_field = ProtoField.none("purelink." .. symbol:gsub("^.*%.", ""), layout.name)
    table.insert(all_fields, layout.struct_field)
    if layout.type_field then table.insert(all_fields, layout.type_field) end
    for _, field in ipairs(layout.fields) do table.insert(all_fields, field.proto) end
end
part_fields.plain = ProtoField.bytes("purelink.part-plain", "In clear")
part_fields.sealed = ProtoField.bytes("purelink.part-sealed", "Sealed")
part_fields.tag = ProtoField.bytes("purelink.part-tag", "Tag")
for _, field in pairs(part_fields) do table.insert(all_fields, field) end
proto.fields = all_fields

-- Where a decoder stands: at in tvb, of which the bytes before stop may be read.
local function fail(name, at)
    error({ name = name, at = at }, 0)
end

local function need(s, size)
    if size > s.stop - s.at then fail("TRUNCATED", s.at) end
end

local function bytes_at(s, size)
    need(s, size)
    local at = s.at
    s.at = at + size
    return size > 0 and s.tvb(at, size):raw() or ""
end

local function small(value)
    return value > U(0x7fffffff, 0) and 0x7fffffff or value:tonumber()
end

local read = {}

-- Neighbouring bit fields are read with the first of them; the rest look back at the same bytes.
function read.uint(s, field)
    if field.first_bit == 0 then
        need(s, field.group)
        s.at = s.at + field.group
    end
    local start = s.at - field.group
    local value = s.tvb(start, field.group):uint64():rshift(field.shift)
    if field.bits < 64 then
        value = value:band(U(0, 0):bnot():rshift(64 - field.bits))
    end
    return value, start + math.floor(field.first_bit / 8)
end

function read.varint(s)
    need(s, 1)
    local size = 2 ^ math.floor(s.tvb(s.at, 1):uint() / 64)
    need(s, size)
    local value = s.tvb(s.at, size):uint64():band(U(0, 0):bnot():rshift(66 - 8 * size))
    if size > 1 and value:rshift(4 * size - 2) == U(0, 0) then fail("NOT_SHORTEST", s.at) end
    s.at = s.at + size
    return value, s.at - size
end

function read.fixed(s, field)
    return bytes_at(s, field.bytes)
end

function read.literal(s, field)
    local at, value = s.at, bytes_at(s, field.bytes)
    if value ~= field.literal then fail(field.otherwise, at) end
    return value
end

function read.bytes(s, field, v)
    return bytes_at(s, small(v[field.length]))
end

function read.rest(s, field)
    need(s, field.least)
    return bytes_at(s, s.stop - s.at)
end

function read.zeros(s, field)
    local at, value = s.at, read.rest(s, field)
    if value:find("[^%z]") then fail("NOT_ZERO", at) end
    return U(#value, 0)
end

local decode_layout

function read.embed(s, field, v, tree)
    return decode_layout(s, field.item, tree, nil)
end

local function read_items(s, field, tree, wants_more)
    local items, start = {}, s.at
    local list = tree:add(field.proto, s.tvb(start, 0))
    local lines = {}
    while wants_more(items) do
        if #items == field.most then fail("LIMIT", s.at) end
        local item, _, line = decode_layout(s, field.item, list, nil)
        table.insert(items, item)
        table.insert(lines, "{" .. line .. "}")
    end
    list:set_len(s.at - start)
    local line = "[" .. table.concat(lines, " ") .. "]"
    list:set_text(field.name .. "=" .. line)
    return items, nil, line
end

function read.count(s, field, v, tree)
    local count = small(v[field.length])
    if count > field.most then fail("LIMIT", s.at) end
    return read_items(s, field, tree, function(items) return #items < count end)
end

read["until"] = function(s, field, v, tree)
    return read_items(s, field, tree, function(items) return #items == 0 or not field.last(items[#items]) end)
end

read["end"] = function(s, field, v, tree)
    return read_items(s, field, tree, function() return s.at < s.stop end)
end

function read.sized(s, field, v, tree)
    local size, stop = small(v[field.length]), s.stop
    need(s, size)
    s.stop = s.at + size
    local items, _, line = read_items(s, field, tree, function() return s.at < s.stop end)
    s.stop = stop
    return items, nil, line
end

local function escaped(text)
    return (text:gsub('[%c"\\\128-\255]', function(c) return string.format("\\x%02x", c:byte()) end))
end

local function hex_of(text)
    return (text:gsub(".", function(c) return string.format("%02x", c:byte()) end))
end

-- A value as the product's printers write it.
local function shown(field, value)
    if field.registry then
        return tostring(value) .. "(" .. (field.registry[tostring(value)] or "unknown") .. ")"
    elseif type(value) == "userdata" then
        local wide = field.kind == "uint" and field.bits >= 32
        return wide and "0x" .. value:tohex(2 * math.floor(field.bits / 8)) or tostring(value)
    elseif field.text then
        return '"' .. escaped(value) .. '"'
    end
    return #value .. ":" .. hex_of(value:sub(1, shown_bytes)) .. (#value > shown_bytes and ".." or "")
end

local function add_field(s, field, value, start, size, tree)
    local range = s.tvb(start, size)
    local text = field.name .. "=" .. shown(field, value)
    if type(value) == "userdata" then
        local wide = field.kind == "varint" or field.kind == "uint" and field.bits > 32
        tree:add(field.proto, range, wide and value or value:tonumber()):set_text(text)
    elseif field.text then
        tree:add(field.proto, range, escaped(value)):set_text(text)
    else
        tree:add(field.proto, range):set_text(text)
    end
    return text
end

local function judge(field, v, at)
    for _, rule in ipairs(field.rules) do
        if not rule[1](v) then fail(rule[2], at) end
    end
end

-- One field: its value into v, its item into the tree, its text into the line.
local function decode_field(s, field, v, tree, line)
    local start = s.at
    local value, place, text = read[field.kind](s, field, v, tree)
    if field.kind == "uint" then start = place end
    v[field.name] = value
    if field.kind == "embed" then
        table.insert(line, field.name .. "={" .. text .. "}")
    elseif text then
        table.insert(line, field.name .. "=" .. text)
    else
        local size = s.at - start
        if field.kind == "uint" then size = math.floor((field.first_bit % 8 + field.bits + 7) / 8) end
        local added = add_field(s, field, value, start, size, tree)
        if not field.derived then table.insert(line, added) end
    end
    judge(field, v, start)
end

-- Values by name, the end, and the line of a struct, or of a case whose type was read.
decode_layout = function(s, layout, tree, tag)
    local start, v, line = s.at - layout.tag, {}, {}
    local item = tree:add(layout.struct_field, s.tvb(start, 0))
    if layout.tag > 0 then table.insert(line, layout.name) end
    if layout.type_field then
        item:add(layout.type_field, s.tvb(start, layout.tag), tag)
        table.insert(line, string.format("type=0x%0" .. 2 * layout.tag .. "x", tag))
    end
    local good, fault = pcall(function()
        for _, field in ipairs(layout.fields) do decode_field(s, field, v, item, line) end
    end)
    item:set_len(s.at - start)
    item:set_text(table.concat(line, " "))
    if not good then error(fault, 0) end
    return v, s.at, table.concat(line, " ")
end

local function decode_subject(s, subject, tree)
    local size = subject[1].tag
    if size == 0 then return decode_layout(s, subject[1], tree, nil) end
    need(s, size)
    local tag = s.tvb(s.at, size):uint()
    for _, layout in ipairs(subject) do
        if tag >= layout.first and tag <= layout.last then
            s.at = s.at + size
            local v, _, line = decode_layout(s, layout, tree, tag)
            return v, layout.name, line
        end
    end
    fail("UNKNOWN_TYPE", s.at)
end

-- Runs decode(s) over a part and reports its fault, if any, with its offset in the part.
local function guarded(s, tree, decode)
    local base = s.at
    local good, fault = pcall(decode)
    if good then return true end
    if type(fault) ~= "table" then error(fault, 0) end
    tree:add_proto_expert_info(malformed, fault.name .. " at " .. fault.at - base)
    return false
end

local function dissect_frames(s, part, tree, names)
    return guarded(s, tree, function()
        local count = 0
        if s.at == s.stop and part.least > 0 then fail("EMPTY", s.at) end
        while s.at < s.stop do
            if count == part.most then fail("LIMIT", s.at) end
            local _, name = decode_subject(s, part.subject, tree)
            table.insert(names, name)
            count = count + 1
        end
    end)
end

-- Bytes that the parts behind the sealed one take.
local function bytes_behind(packet, from, v)
    local size = 0
    for i = from + 1, #packet do
        local part = packet[i]
        if part.bytes and (not part.present or part.present(v)) then size = size + part.bytes end
    end
    return size
end

local function dissect_sealed(s, packet, index, v, tree, names)
    local part, stop = packet[index], s.stop
    local tag_at = stop - bytes_behind(packet, index, v) - part.tag
    if tag_at < s.at then fail("TRUNCATED", s.at) end
    local tag = s.tvb(tag_at, part.tag)
    if proto.prefs.unsealed or not tag:raw():find("[^%z]") then
        s.stop = tag_at
        local base = s.at
        local good = dissect_frames(s, part, tree, names)
        s.stop, s.at = stop, good and s.at or base
    elseif tag_at > s.at then
        tree:add(part_fields.sealed, s.tvb(s.at, tag_at - s.at))
    end
    tree:add(part_fields.tag, tag)
    s.at = tag_at + part.tag
end

local function dissect_parts(s, packet, tree, names)
    local v = {}
    for index, part in ipairs(packet) do
        if part.kind == "sealed" then
            dissect_sealed(s, packet, index, v, tree, names)
        elseif part.kind == "plain" then
            if not part.present or part.present(v) then
                need(s, part.bytes)
                tree:add(part_fields.plain, s.tvb(s.at, part.bytes)):prepend_text(part.name .. ": ")
                s.at = s.at + part.bytes
            end
        else
            for name, value in pairs((decode_subject(s, part.subject, tree))) do v[name] = value end
        end
    end
    if s.at < s.stop then fail("TRAILING", s.at) end
end

-- The first packet of the spec that the bytes are not too short for.
local function packet_for(size)
    for _, packet in ipairs(packets) do
        local least = 0
        for _, part in ipairs(packet) do least = least + part.least_bytes end
        if size >= least then return packet end
    end
    return packets[1]
end

function proto.dissector(tvb, pinfo, root)
    local s = { tvb = tvb, at = 0, stop = tvb:len() }
    local tree, names = root:add(proto, tvb()), {}
    local packet = packet_for(tvb:len())
    pinfo.cols.protocol = "purelink"
    if packet then
        tree:append_text(", " .. packet.name)
        guarded(s, tree, function() dissect_parts(s, packet, tree, names) end)
        pinfo.cols.info = packet.name .. (#names > 0 and ": " .. table.concat(names, " ") or "")
    end
    return tvb:len()
end

-- For other scripts: dissects all of tvb as one struct, or one of a family, of this name.
_G["purelink_dissect_as"] = function(name, tvb, root)
    local s = { tvb = tvb, at = 0, stop = tvb:len() }
    local tree = root:add(proto, tvb())
    guarded(s, tree, function()
        decode_subject(s, subjects[name], tree)
        if s.at < s.stop then fail("TRAILING", s.at) end
    end)
end

local registered = 0
function proto.prefs_changed()
    local ports = DissectorTable.get("udp.port")
    if registered ~= 0 then ports:remove(registered, proto) end
    registered = proto.prefs.port
    if registered ~= 0 then ports:add(registered, proto) end
end
DissectorTable.get("udp.port"):add_for_decode_as(proto)
