//! Homes behind routers, and a relay on the street between them: network namespaces that can reach each other in no
//! other way.
//!
//! | where | addresses |
//! |---|---|
//! | `street` | the public network, a bridge |
//! | `relay` | 203.0.113.10, 203.0.113.11, 2001:db8:ff::10 |
//! | `home1`, `home2`, … | 192.168.1.10, 192.168.1.20, …: the same private network in each home |
//! | `router1`, … | 192.168.1.1 inside; outside 203.0.113.21, …, or 100.64.n.2 if a carrier's router comes next |
//! | `carrier1`, … | 100.64.n.1 inside, 203.0.113.21, … outside |
//!
//! It needs root, `ip`, `nft` and, for UPnP and the probe, `python3`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{ip, run};

/// Prefix of all namespaces; the id of the process that made them follows.
const FAMILY: &str = "outis-homes-";

/// What [`Homes`] needs from the kernel.
const TRY: &str = "
    table ip try {
        map opened { type inet_service : ipv4_addr . inet_service; }
        chain in {
            type nat hook prerouting priority -100;
            iifname wan dnat ip to udp dport map @opened
        }
        chain out {
            type nat hook postrouting priority 100;
            oifname wan masquerade fully-random
        }
    }
";

/// How a router treats UDP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Router {
    /// It maps an inner port to one outer port, and anyone may send to that.
    Cone,
    /// It maps an inner port to one outer port, and lets in only addresses and ports that were sent to: most homes.
    Restricted,
    /// It uses a different outer port for every destination.
    Symmetric,
    /// As `Symmetric`, but it opens ports on request by UPnP.
    Upnp,
    /// It blocks UDP over IPv4.
    Blocked,
}

/// A home: its routers, from the inside out, and whether it also has IPv6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    pub routers: Vec<Router>,
    pub six: bool,
}

impl Home {
    /// Parses `restricted`, `restricted+symmetric` for two routers in a row, or `restricted6` for one with IPv6.
    pub fn named(name: &str) -> Option<Self> {
        let (plain, six) = name.strip_suffix('6').map_or((name, false), |plain| (plain, true));
        let router = |name: &str| {
            Some(match name {
                "cone" => Router::Cone,
                "restricted" => Router::Restricted,
                "symmetric" => Router::Symmetric,
                "upnp" => Router::Upnp,
                "blocked" => Router::Blocked,
                _ => return None,
            })
        };
        let routers: Vec<Router> = plain.split('+').map(router).collect::<Option<_>>()?;
        (routers.len() <= if six { 1 } else { 2 }).then_some(Self { routers, six })
    }
}

/// The namespaces; dropping it removes them and ends everything in them.
pub struct Homes {
    name: String,
    gateways: Vec<Child>,
}

impl Homes {
    /// Builds a street with these homes, or says why this machine cannot. On a machine that can, any failure is a bug
    /// in this test.
    pub fn new(tag: &str, homes: &[&str]) -> Result<Self, String> {
        sweep();
        let built = Self { name: format!("{FAMILY}{}-{tag}", std::process::id()), gateways: Vec::new() };
        run(Command::new("python3").arg("--version"))?;
        built.add("street")?;
        built.nft("street", TRY)?;
        Ok(built.build(homes).unwrap_or_else(|why| panic!("{why}")))
    }

    fn build(mut self, homes: &[&str]) -> Result<Self, String> {
        ip(&format!("-n {} link add bridge type bridge", self.at("street")))?;
        ip(&format!("-n {} link set bridge up", self.at("street")))?;
        self.add("relay")?;
        self.live_on_the_street("relay", "eth")?;
        for address in ["203.0.113.10/24", "203.0.113.11/24", "2001:db8:ff::10/64 nodad"] {
            ip(&format!("-n {} addr add {address} dev eth", self.at("relay")))?;
        }
        for (n, name) in (1..).zip(homes) {
            let home = Home::named(name).ok_or_else(|| format!("no such home: {name}"))?;
            self.home(n, &home)?;
        }
        // Homes with IPv6 have routes to each other.
        let six = |n: &usize| homes[*n - 1].ends_with('6');
        for n in (1..=homes.len()).filter(six) {
            let way = format!("2001:db8:{n}::/64 via 2001:db8:ff::2{n}");
            ip(&format!("-n {} -6 route add {way}", self.at("relay")))?;
            for other in (1..=homes.len()).filter(|other| *other != n).filter(six) {
                ip(&format!("-n {} -6 route add {way}", self.at(&format!("router{other}"))))?;
            }
        }
        Ok(self)
    }

    /// The namespace of a host in the table above.
    fn at(&self, place: &str) -> String {
        format!("{}-{place}", self.name)
    }

    fn add(&self, place: &str) -> Result<(), String> {
        ip(&format!("netns add {}", self.at(place)))?;
        ip(&format!("-n {} link set lo up", self.at(place)))?;
        self.write(place, "ipv6/conf/all/accept_dad", "0")
    }

    /// Writes a kernel setting.
    fn write(&self, place: &str, setting: &str, value: &str) -> Result<(), String> {
        let script = format!("echo {value} > /proc/sys/net/{setting}");
        run(self.command(place, "sh").args(["-c", &script])).map(drop)
    }

    /// A cable between two hosts. Segmentation offload is off, so that a loss affects a single packet.
    fn cable(&self, (a, plug): (&str, &str), (b, socket): (&str, &str)) -> Result<(), String> {
        let (a, b) = (self.at(a), self.at(b));
        ip(&format!("link add {plug} netns {a} type veth peer name {socket} netns {b}"))?;
        ip(&format!("-n {a} link set {plug} gso_max_segs 1 up"))?;
        ip(&format!("-n {b} link set {socket} gso_max_segs 1 up")).map(drop)
    }

    fn live_on_the_street(&self, place: &str, plug: &str) -> Result<(), String> {
        self.cable((place, plug), ("street", place))?;
        ip(&format!("-n {} link set {place} master bridge", self.at("street"))).map(drop)
    }

    fn home(&mut self, n: usize, home: &Home) -> Result<(), String> {
        let (own, router, carrier) = (format!("home{n}"), format!("router{n}"), format!("carrier{n}"));
        self.add(&own)?;
        self.add(&router)?;
        self.cable((&own, "eth"), (&router, "lan"))?;
        ip(&format!("-n {} addr add 192.168.1.{n}0/24 dev eth", self.at(&own)))?;
        ip(&format!("-n {} addr add 192.168.1.1/24 dev lan", self.at(&router)))?;
        ip(&format!("-n {} route add default via 192.168.1.1", self.at(&own)))?;
        let mut outside = format!("203.0.113.2{n}");
        let outermost = if home.routers.len() > 1 { &carrier } else { &router };
        if let Some(outer) = home.routers.get(1) {
            self.add(&carrier)?;
            self.cable((&router, "wan"), (&carrier, "lan"))?;
            ip(&format!("-n {} addr add 100.64.{n}.1/24 dev lan", self.at(&carrier)))?;
            ip(&format!("-n {} addr add 100.64.{n}.2/24 dev wan", self.at(&router)))?;
            ip(&format!("-n {} route add default via 100.64.{n}.1", self.at(&router)))?;
            self.route(&carrier, *outer, &outside)?;
        }
        self.live_on_the_street(outermost, "wan")?;
        ip(&format!("-n {} addr add {outside}/24 dev wan", self.at(outermost)))?;
        if home.routers.len() > 1 {
            outside = format!("100.64.{n}.2");
        }
        self.route(&router, home.routers[0], &outside)?;
        if home.six {
            ip(&format!("-n {} addr add 2001:db8:{n}::10/64 dev eth nodad", self.at(&own)))?;
            ip(&format!("-n {} addr add 2001:db8:{n}::1/64 dev lan nodad", self.at(&router)))?;
            ip(&format!("-n {} addr add 2001:db8:ff::2{n}/64 dev wan nodad", self.at(&router)))?;
            ip(&format!("-n {} -6 route add default via 2001:db8:{n}::1", self.at(&own)))?;
        }
        Ok(())
    }

    /// Turns a host with the interfaces `lan` and `wan` into a router.
    fn route(&mut self, place: &str, router: Router, outside: &str) -> Result<(), String> {
        let fresh_ports = if matches!(router, Router::Symmetric | Router::Upnp) { "fully-random" } else { "" };
        // A network that blocks UDP usually overlooks IPv6.
        let outward = if router == Router::Blocked { "meta nfproto ipv4 meta l4proto udp drop" } else { "" };
        // Learns which inner port an outer port stands for, only from packets in the direction in which a connection
        // began: in replies to an outside peer, the origin is that peer.
        let (learn, let_in) = if router == Router::Cone {
            let inner = "ct original ip saddr . ct original proto-src";
            (
                format!("oifname wan meta l4proto udp ct direction original update @inner {{ udp sport : {inner} }}"),
                "iifname wan dnat ip to udp dport map @inner",
            )
        } else {
            (String::new(), "")
        };
        self.nft(
            place,
            &format!(
                "table ip nat {{
                    map inner {{ type inet_service : ipv4_addr . inet_service; size 1000; flags dynamic,timeout; timeout 5m; }}
                    map opened {{ type inet_service : ipv4_addr . inet_service; }}
                    chain in {{
                        type nat hook prerouting priority -100;
                        iifname wan dnat ip to udp dport map @opened
                        {let_in}
                    }}
                    chain out {{
                        type nat hook postrouting priority 100;
                        oifname wan masquerade {fresh_ports}
                    }}
                    chain learn {{
                        type filter hook postrouting priority 101;
                        {learn}
                    }}
                }}
                table inet fence {{
                    chain weather {{ }}
                    # A stranger's packet that the router itself answers would be a connection, and take the port that a
                    # packet of ours to that stranger needs.
                    chain own {{
                        type filter hook input priority 0;
                        iifname wan meta l4proto udp ct state new drop
                    }}
                    chain through {{
                        type filter hook forward priority 0; policy drop;
                        jump weather
                        ct state established,related accept
                        ct status dnat accept
                        {outward}
                        iifname lan accept
                    }}
                }}"
            ),
        )?;
        self.write(place, "ipv4/ip_forward", "1")?;
        self.write(place, "ipv6/conf/all/forwarding", "1")?;
        if router == Router::Upnp {
            let mut gateway = self.script(place, "upnp.py");
            let mut gateway = gateway.arg(outside).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
            let mut line = String::new();
            let out = gateway.stdout.take().ok_or("no output")?;
            self.gateways.push(gateway);
            BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
            if line != "ready\n" {
                return Err("the UPnP gateway did not start".to_owned());
            }
        }
        Ok(())
    }

    fn nft(&self, place: &str, rules: &str) -> Result<(), String> {
        let mut command = self.command(place, "nft");
        command.args(["-f", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("nft: {error}"))?;
        child.stdin.take().ok_or("no input")?.write_all(rules.as_bytes()).map_err(|error| error.to_string())?;
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        let said = || format!("nft: {}", String::from_utf8_lossy(&output.stderr).trim());
        if output.status.success() { Ok(()) } else { Err(said()) }
    }

    /// A command that runs a program in a host's namespace.
    pub fn command(&self, place: &str, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.at(place), program]).stdin(Stdio::null());
        command
    }

    /// A command that runs a script of this folder in a host's namespace.
    pub fn script(&self, place: &str, script: &str) -> Command {
        let mut command = self.command(place, "python3");
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/network").join(script));
        command
    }

    /// A command that runs `outis` in a host's namespace.
    pub fn outis(&self, place: &str) -> Command {
        self.command(place, env!("CARGO_BIN_EXE_outis"))
    }

    /// Applies an `nft` rule to everything that a home's router forwards from now on; an empty rule removes it.
    pub fn weather(&self, n: usize, rule: &str) {
        let rules = if rule.is_empty() { String::new() } else { format!("add rule inet fence weather {rule}") };
        self.nft(&format!("router{n}"), &format!("flush chain inet fence weather\n{rules}\n")).unwrap();
    }

    /// The ports that a home's router has opened on request.
    pub fn opened(&self, n: usize) -> String {
        let mut list = self.command(&format!("router{n}"), "nft");
        let list = run(list.args(["list", "map", "ip", "nat", "opened"])).unwrap();
        list.split_once("elements = {").map_or("", |(_, rest)| rest.trim_end_matches(['}', ' ', '\n', '\t'])).to_owned()
    }

    /// Unplugs a host's cable on the street, or plugs it in again.
    pub fn plug(&self, place: &str, is_in: bool) {
        let way = if is_in { "up" } else { "down" };
        ip(&format!("-n {} link set {place} {way}", self.at("street"))).unwrap();
    }
}

impl Drop for Homes {
    fn drop(&mut self) {
        for gateway in &mut self.gateways {
            let _ = gateway.kill();
            let _ = gateway.wait();
        }
        remove(|name| name.strip_prefix(&*self.name).is_some_and(|rest| rest.starts_with('-')));
    }
}

/// Removes what test processes left behind that did not end properly.
fn sweep() {
    remove(|name| {
        let maker = name.strip_prefix(FAMILY).and_then(|rest| rest.split('-').next());
        maker.is_some_and(|maker| !Path::new("/proc").join(maker).exists())
    });
}

/// Removes namespaces and kills what still runs in them.
fn remove(is_ours: impl Fn(&str) -> bool) {
    // This reads the folder, because `ip netns list` fails while other namespaces come and go.
    for entry in fs::read_dir("/run/netns").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_ours(&name) {
            for pid in ip(&format!("netns pids {name}")).unwrap_or_default().split_whitespace() {
                let _ = run(Command::new("kill").args(["-KILL", pid]));
            }
            let _ = ip(&format!("netns del {name}"));
        }
    }
}
