"""Listens on an interface, and tells what went through it until its input ends.

Usage: listen.py INTERFACE|any [WORD…]      prints `ready`, and at the end the sorted lines `to ADDRESS` for every destination of
IPv4 beyond the homes' own networks, `name lookup` if anybody asked for one, and `saw WORD` for every word that passed.
"""

import socket
import sys
import threading


def main() -> None:
    words = [word.encode() for word in sys.argv[2:]]
    ear = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
    if sys.argv[1] != "any":
        ear.bind((sys.argv[1], 0))
    ear.settimeout(0.2)
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    print("ready", flush=True)
    found = set()
    while True:
        try:
            packet = ear.recv(65536)
        except TimeoutError:
            if over.is_set():
                break  # nothing waits any longer
            continue
        found.update(f"saw {word.decode()}" for word in words if word in packet)
        kind, inner = packet[12:14], packet[14:]
        if kind == b"\x08\x00":
            to, head = socket.inet_ntoa(inner[16:20]), (inner[0] & 15) * 4
            if not to.startswith(("192.168.1.", "100.64.")):
                found.add(f"to {to}")
            protocol = inner[9]
        elif kind == b"\x86\xdd":
            head, protocol = 40, inner[6]
        else:
            continue
        port = int.from_bytes(inner[head + 2 : head + 4], "big")
        if protocol in (6, 17) and port in (53, 853):
            found.add("name lookup")
    for line in sorted(found):
        print(line)
    print("over", flush=True)


if __name__ == "__main__":
    main()
