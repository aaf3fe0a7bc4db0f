"""What kind of router this home has: how it maps ports, and which senders it lets in.

Usage: probe.py serve       at the relay: answers at two addresses and two ports
       probe.py             at home: prints MAPPING FILTERING, or "no udp"
"""

import select
import socket
import sys

NEAR, FAR = "203.0.113.10", "203.0.113.11"
PLACES = [(NEAR, 4001), (NEAR, 4002), (FAR, 4001), (FAR, 4002)]


def bound(place) -> socket.socket:
    new = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    new.bind(place)
    return new


def serve() -> None:
    doors = [bound(place) for place in PLACES]
    print("ready", flush=True)
    while True:
        for door in select.select(doors, [], [])[0]:
            wish, guest = door.recvfrom(1)
            # The request is a digit: the socket that must answer.
            doors[int(wish)].sendto(f"{guest[0]}:{guest[1]}".encode(), guest)


def ask(own: socket.socket, door: int, answer_from: int):
    for _ in range(3):
        own.sendto(str(answer_from).encode(), PLACES[door])
        if select.select([own], [], [], 0.3)[0]:
            return own.recv(99)
    return None


def main() -> None:
    own = bound(("", 0))
    seen = ask(own, 0, 0)
    if seen is None:
        print("no udp")
        return
    # So far, this home has sent only to the first socket.
    if ask(own, 0, 3):
        filtering = "open"
    elif ask(own, 0, 1):
        filtering = "address"
    else:
        filtering = "port"
    same = seen == ask(own, 1, 1) == ask(own, 2, 2)
    print("same" if same else "changing", filtering)


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
