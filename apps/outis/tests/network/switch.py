"""A network switch that loses packets: passes frames between the named interfaces and drops some of them.

Usage: switch.py LOSS INTERFACE...      LOSS is a share, such as 0.05
"""

import random
import select
import socket
import struct
import sys

ETH_P_ALL = 3
OUTGOING = 4


def checksum(data: bytes) -> int:
    """The checksum of the internet protocols."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def mend(frame: bytearray) -> None:
    """Writes the checksum that a virtual interface leaves to hardware that does not exist."""
    start = 14 + 4 * (frame[14] & 15)
    protocol, length = frame[23], struct.unpack_from("!H", frame, 16)[0]
    segment = frame[start : 14 + length]
    at = {6: 16, 17: 6}.get(protocol)
    if at is None:
        return
    segment[at : at + 2] = b"\0\0"
    pseudo = bytes(frame[26:34]) + struct.pack("!BBH", 0, protocol, len(segment))
    struct.pack_into("!H", frame, start + at, checksum(pseudo + bytes(segment)) or 0xFFFF)


def main() -> None:
    loss, names = float(sys.argv[1]), sys.argv[2:]
    ports = []
    for name in names:
        port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        port.bind((name, 0))
        ports.append(port)
    chance = random.Random(1)
    print("ready", flush=True)
    while True:
        for port in select.select(ports, [], [])[0]:
            data, address = port.recvfrom(65535)
            kind = data[12:14]
            if address[2] == OUTGOING or kind not in (b"\x08\x00", b"\x08\x06"):
                continue
            frame = bytearray(data)
            if kind == b"\x08\x00":
                if chance.random() < loss:
                    continue
                mend(frame)
            for other in ports:
                if other is not port:
                    try:
                        other.send(frame)
                    except OSError:
                        pass  # too large, or the interface is gone


if __name__ == "__main__":
    main()
