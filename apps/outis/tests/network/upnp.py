"""The part of a UPnP internet gateway that opens UDP ports, on a router of `homes.rs`.

Usage: upnp.py OUTSIDE      OUTSIDE is the router's outer address

It answers searches (SSDP), describes itself, and knows three calls. A port that it opens goes into the router's map `opened`.
"""

import http.server
import re
import socket
import subprocess
import sys
import threading

INSIDE, PORT = "192.168.1.1", 5431
SCHEMA = "urn:schemas-upnp-org"
SERVICE = f"{SCHEMA}:service:WANIPConnection:1"
GATEWAY = f"{SCHEMA}:device:InternetGatewayDevice:1"

CALLS = {
    "GetExternalIPAddress": [],
    "AddPortMapping": [
        "NewRemoteHost",
        "NewExternalPort",
        "NewProtocol",
        "NewInternalPort",
        "NewInternalClient",
        "NewEnabled",
        "NewPortMappingDescription",
        "NewLeaseDuration",
    ],
    "DeletePortMapping": ["NewRemoteHost", "NewExternalPort", "NewProtocol"],
}


def tag(name: str, *inside: str) -> str:
    return f"<{name}>{''.join(inside)}</{name.split()[0]}>"


def description() -> str:
    """A service in three devices, one inside the other."""
    text = tag(
        "service",
        tag("serviceType", SERVICE),
        tag("serviceId", "urn:upnp-org:serviceId:WANIPConn1"),
        tag("SCPDURL", "/calls"),
        tag("controlURL", "/call"),
        tag("eventSubURL", "/events"),
    )
    text = tag("serviceList", text)
    for kind in ("WANConnectionDevice", "WANDevice"):
        device = tag("device", tag("deviceType", f"{SCHEMA}:device:{kind}:1"), text)
        text = tag("deviceList", device)
    text = tag("device", tag("deviceType", GATEWAY), text)
    return '<?xml version="1.0"?>' + tag(f'root xmlns="{SCHEMA}:device-1-0"', text)


def calls() -> str:
    def argument(name: str) -> str:
        return tag("argument", tag("name", name), tag("direction", "in"))

    def action(name: str) -> str:
        return tag("action", tag("name", name), tag("argumentList", *map(argument, CALLS[name])))

    return '<?xml version="1.0"?>' + tag(f'scpd xmlns="{SCHEMA}:service-1-0"', tag("actionList", *map(action, CALLS)))


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_) -> None:
        pass  # the client is gone


class Page(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass

    def answer(self, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.answer(calls() if self.path == "/calls" else description())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        call = self.headers["SOAPAction"].strip('"').rpartition("#")[2]
        given = dict(re.findall(r"<(New\w+)[^>]*>([^<]*)<", body))
        result = ""
        if call == "GetExternalIPAddress":
            result = tag("NewExternalIPAddress", sys.argv[1])
        elif call == "AddPortMapping":
            inner = f"{given['NewInternalClient']} . {given['NewInternalPort']}"
            element = f"{{ {given['NewExternalPort']} : {inner} }}"
            subprocess.run(["nft", "add", "element", "ip", "nat", "opened", element], check=True)
        envelope = 's:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"'
        response = tag(f'u:{call}Response xmlns:u="{SERVICE}"', result)
        self.answer('<?xml version="1.0"?>' + tag(envelope, tag("s:Body", response)))


def main() -> None:
    page = Server((INSIDE, PORT), Page)
    threading.Thread(target=page.serve_forever, daemon=True).start()
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ear.bind(("", 1900))
    group = socket.inet_aton("239.255.255.250") + socket.inet_aton(INSIDE)
    ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    print("ready", flush=True)
    while True:
        question, who = ear.recvfrom(2048)
        if question.startswith(b"M-SEARCH"):
            lines = [
                "HTTP/1.1 200 OK",
                f"ST: {GATEWAY}",
                f"USN: uuid:1::{GATEWAY}",
                f"LOCATION: http://{INSIDE}:{PORT}/device",
                "",
                "",
            ]
            ear.sendto("\r\n".join(lines).encode(), who)


if __name__ == "__main__":
    main()
