//! Asks the router, by UPnP, to pass a UDP port on to this machine, so that players reach it without a relay.
//!
//! Anything on the local network may answer the search. So an answer leads only to the machine that sent it, which must
//! have a local address; everything that is read is bounded; and all that comes of it is one more address at which
//! players may try to reach this node.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use hyper::client::conn::http1;
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use outis_node::calling::is_private;
use tokio::net::{TcpStream, UdpSocket};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Where routers listen for searches.
const SEARCH: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(239, 255, 255, 250), 1900);
const KINDS: [&str; 2] =
    ["urn:schemas-upnp-org:device:InternetGatewayDevice:1", "urn:schemas-upnp-org:device:InternetGatewayDevice:2"];
/// The services that open ports.
const SERVICES: [&str; 3] = [
    "urn:schemas-upnp-org:service:WANIPConnection:2",
    "urn:schemas-upnp-org:service:WANIPConnection:1",
    "urn:schemas-upnp-org:service:WANPPPConnection:1",
];
/// How long routers may take to answer a search, and a request.
const ANSWERS: Duration = Duration::from_millis(1_500);
const PATIENCE: Duration = Duration::from_secs(3);
const CLOSING: Duration = Duration::from_secs(1);
/// What a router answers that knows no leases.
const ONLY_FOR_GOOD: &str = "725";
/// Largest answers, and the most that are looked at.
const MAX_ANSWER: usize = 2 << 10;
const MAX_PAGE: usize = 64 << 10;
const MAX_ROUTERS: usize = 4;
/// The router forgets the port after this time, in seconds, unless it is asked again; and how often that is.
const LEASE: u32 = 3_600;
const RENEW: Duration = Duration::from_secs(1_200);
/// Outer ports that are tried.
const TRIES: u16 = 3;

/// A port that a router passes on to this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mapping {
    gateway: Gateway,
    outer: SocketAddrV4,
}

/// The part of a router that opens ports.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gateway {
    at: SocketAddrV4,
    path: String,
    service: &'static str,
}

/// Keeps a UDP port open at the router, if it offers that, until the other end of `ended` is dropped; then has it closed.
/// Reports the outer address whenever it changes.
pub async fn keep(
    port: u16,
    mut ended: oneshot::Receiver<()>,
    mut changed: impl AsyncFnMut(Option<SocketAddr>, Option<SocketAddr>),
) {
    let mut known: Option<Mapping> = None;
    loop {
        let now = open(port, known.as_ref()).await;
        let outer = |mapping: &Mapping| SocketAddr::V4(mapping.outer);
        let (was, is) = (known.as_ref().map(outer), now.as_ref().map(outer));
        if was != is {
            changed(was, is).await;
        }
        if let Some(gone) = known.filter(|known| now.as_ref() != Some(known)) {
            gone.close().await;
        }
        known = now;
        if timeout(RENEW, &mut ended).await.is_ok() {
            if let Some(known) = known {
                known.close().await;
            }
            return;
        }
    }
}

/// Asks routers for the port until one opens it; one that has done so before is asked first, for the same outer port.
async fn open(port: u16, known: Option<&Mapping>) -> Option<Mapping> {
    if let Some(Mapping { gateway, outer }) = known
        && let Some(mapping) = gateway.open(port, outer.port()).await
    {
        return Some(mapping);
    }
    for (at, path) in search().await.ok()? {
        let Some((true, page)) = ask(at, Method::GET, &path, None).await else { continue };
        let Some((service, path)) = service_of(&page, at) else { continue };
        let gateway = Gateway { at, path, service };
        for outer in (0..TRIES).filter_map(|n| port.checked_add(n)) {
            if let Some(mapping) = gateway.open(port, outer).await {
                return Some(mapping);
            }
        }
    }
    None
}

/// The descriptions of the routers on the local network.
async fn search() -> std::io::Result<Vec<(SocketAddrV4, String)>> {
    let socket = UdpSocket::bind(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0)).await?;
    for kind in KINDS {
        let question =
            format!("M-SEARCH * HTTP/1.1\r\nHOST: {SEARCH}\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: {kind}\r\n\r\n");
        socket.send_to(question.as_bytes(), SEARCH).await?;
    }
    let mut found = Vec::new();
    let _ = timeout(ANSWERS, async {
        let mut answer = vec![0; MAX_ANSWER];
        while found.len() < MAX_ROUTERS {
            let Ok((length, from)) = socket.recv_from(&mut answer).await else { return };
            let text = String::from_utf8_lossy(&answer[..length]);
            found.extend(location(&text, from.ip()).filter(|router| !found.contains(router)));
        }
    })
    .await;
    Ok(found)
}

/// Where the description of a router is, if its answer names a place on the machine that sent it.
fn location(answer: &str, from: IpAddr) -> Option<(SocketAddrV4, String)> {
    let named = answer.lines().filter_map(|line| line.split_once(':'));
    let mut named = named.filter(|(name, _)| name.trim().eq_ignore_ascii_case("location"));
    let (at, path) = place(named.next()?.1.trim())?;
    (IpAddr::from(*at.ip()) == from && is_private(from) && !from.is_loopback()).then_some((at, path))
}

/// Splits `http://ADDRESS:PORT/PATH`.
fn place(url: &str) -> Option<(SocketAddrV4, String)> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let at = host.parse().or_else(|_| host.parse().map(|ip| SocketAddrV4::new(ip, 80))).ok()?;
    is_path(path).then(|| (at, format!("/{path}")))
}

fn is_path(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_graphic())
}

/// The service that opens ports, in the description of a router, and its path.
fn service_of(page: &str, at: SocketAddrV4) -> Option<(&'static str, String)> {
    SERVICES.into_iter().find_map(|service| {
        let mut blocks = page.split("<service>").skip(1).filter_map(|rest| rest.split("</service>").next());
        let block = blocks.find(|block| inner(block, "serviceType") == Some(service))?;
        let control = inner(block, "controlURL")?;
        let path = match place(control) {
            Some((there, path)) if there == at => path,
            Some(_) => return None,
            None => format!("/{}", control.trim_start_matches('/')),
        };
        is_path(&path).then_some((service, path))
    })
}

/// The text of the first element with this name.
fn inner<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0.trim())
}

impl Mapping {
    /// Has the port closed. A router that does not answer closes it when the time is over.
    async fn close(&self) {
        let which = format!(
            "<NewRemoteHost></NewRemoteHost><NewExternalPort>{}</NewExternalPort><NewProtocol>UDP</NewProtocol>",
            self.outer.port()
        );
        let _ = timeout(CLOSING, self.gateway.call("DeletePortMapping", &which)).await;
    }
}

impl Gateway {
    /// Has this outer port passed on to this machine.
    async fn open(&self, port: u16, outer: u16) -> Option<Mapping> {
        let here = timeout(PATIENCE, TcpStream::connect(self.at)).await.ok()?.ok()?.local_addr().ok()?.ip();
        let add = |lease: u32| {
            format!(
                "<NewRemoteHost></NewRemoteHost><NewExternalPort>{outer}</NewExternalPort><NewProtocol>UDP</NewProtocol>\
                 <NewInternalPort>{port}</NewInternalPort><NewInternalClient>{here}</NewInternalClient><NewEnabled>1</NewEnabled>\
                 <NewPortMappingDescription>Outis</NewPortMappingDescription><NewLeaseDuration>{lease}</NewLeaseDuration>"
            )
        };
        let page = self.call("GetExternalIPAddress", "").await.ok()?;
        let ip: Ipv4Addr = inner(&page, "NewExternalIPAddress")?.parse().ok()?;
        // Behind a second router, the port leads nowhere.
        let leads_out = !is_private(ip.into()) && !ip.is_unspecified() && !ip.is_multicast() && !ip.is_broadcast();
        if !leads_out {
            return None;
        }
        match self.call("AddPortMapping", &add(LEASE)).await {
            Ok(_) => {}
            // Some routers open ports only for good, which means until they restart or are told to close them.
            Err(Some(why)) if inner(&why, "errorCode") == Some(ONLY_FOR_GOOD) => {
                self.call("AddPortMapping", &add(0)).await.ok()?;
            }
            Err(_) => return None,
        }
        Some(Mapping { gateway: self.clone(), outer: SocketAddrV4::new(ip, outer) })
    }

    /// The answer; or what the router says instead, if it says anything.
    async fn call(&self, name: &str, arguments: &str) -> Result<String, Option<String>> {
        let service = self.service;
        let body = format!(
            "<?xml version=\"1.0\"?><s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" \
             s:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><s:Body><u:{name} xmlns:u=\"{service}\">{arguments}\
             </u:{name}></s:Body></s:Envelope>"
        );
        let call = Some((format!("\"{service}#{name}\""), body));
        let (is_good, page) = ask(self.at, Method::POST, &self.path, call).await.ok_or(None)?;
        if is_good { Ok(page) } else { Err(Some(page)) }
    }
}

/// Sends a request, and returns the page and whether the answer is good.
async fn ask(at: SocketAddrV4, method: Method, path: &str, call: Option<(String, String)>) -> Option<(bool, String)> {
    timeout(PATIENCE, async {
        let stream = TcpStream::connect(at).await.ok()?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
        let request = Request::builder().method(method).uri(path).header("host", at.to_string());
        let request = match call {
            Some((action, body)) => request
                .header("content-type", "text/xml; charset=\"utf-8\"")
                .header("soapaction", action)
                .body(Body::from(body)),
            None => request.body(Body::empty()),
        };
        let exchange = async {
            let answer = sender.send_request(request.ok()?).await.ok()?;
            let is_good = answer.status().is_success();
            let page = to_bytes(Body::new(answer.into_body()), MAX_PAGE).await.ok()?;
            Some((is_good, String::from_utf8(page.to_vec()).ok()?))
        };
        // The connection may end before the page has been read.
        let connection = async {
            let _ = connection.await;
            std::future::pending().await
        };
        tokio::select! { page = exchange => page, () = connection => None }
    })
    .await
    .ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<root><device><serviceList><service><serviceType>urn:x:Other:1</serviceType><controlURL>/other\
        </controlURL></service><service><serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType>\
        <controlURL>ctl/IPConn</controlURL></service></serviceList></device></root>";

    #[test]
    fn a_router_is_asked_where_it_says_and_nowhere_else() {
        let at: SocketAddrV4 = "192.168.1.1:5431".parse().unwrap();
        let found = Some((SERVICES[1], "/ctl/IPConn".to_owned()));
        assert_eq!(service_of(PAGE, at), found);
        assert_eq!(service_of(&PAGE.replace("ctl/IPConn", "http://192.168.1.1:5431/ctl/IPConn"), at), found);
        for bad in ["http://192.168.1.2:5431/ctl", "ctl\r\nHost: x", "a b"] {
            assert_eq!(service_of(&PAGE.replace("ctl/IPConn", bad), at), None, "{bad}");
        }
        assert_eq!(service_of("<service><serviceType>", at), None);
        assert_eq!(service_of("", at), None);
    }

    #[test]
    fn an_answer_leads_only_to_the_machine_that_sent_it() {
        let answer = |url: &str| format!("HTTP/1.1 200 OK\r\nST: x\r\nLocation: {url}\r\n\r\n");
        let router = "192.168.1.1".parse().unwrap();
        let found = Some(("192.168.1.1:80".parse().unwrap(), "/d.xml".to_owned()));
        assert_eq!(location(&answer("http://192.168.1.1/d.xml"), router), found);
        for bad in ["http://192.168.1.2/d.xml", "https://192.168.1.1/d", "http://router/d", "http://192.168.1.1/a b"] {
            assert_eq!(location(&answer(bad), router), None, "{bad}");
        }
        assert_eq!(location("HTTP/1.1 200 OK\r\n\r\n", router), None);
        assert_eq!(location(&answer("http://127.0.0.1/d.xml"), "127.0.0.1".parse().unwrap()), None);
        let far = "192.0.2.1".parse().unwrap();
        assert_eq!(location(&answer("http://192.0.2.1/d.xml"), far), None, "not on the local network");
    }

    /// A router that answers each call with the next of these: whether it is good, and a page. Returns what it was asked.
    async fn router(answers: Vec<(bool, &str)>) -> (Option<Mapping>, Vec<String>) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let SocketAddr::V4(at) = listener.local_addr().unwrap() else { panic!() };
        let answers: Vec<_> = answers.into_iter().map(|(is_good, page)| (is_good, page.to_owned())).collect();
        let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let heard = asked.clone();
        tokio::spawn(async move {
            let mut answers = answers.into_iter();
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = String::new();
                // The first connection of a call only asks for the machine's own address.
                while !request.contains("</s:Envelope>") {
                    let mut some = vec![0; 4096];
                    let Ok(n @ 1..) = stream.read(&mut some).await else { break };
                    request.push_str(std::str::from_utf8(&some[..n]).unwrap());
                }
                if request.is_empty() {
                    continue;
                }
                heard.lock().unwrap().push(request);
                let (is_good, page) = answers.next().unwrap_or((true, String::new()));
                let status = if is_good { "200 OK" } else { "500 No" };
                let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{page}", page.len());
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        let gateway = Gateway { at, path: "/".into(), service: SERVICES[1] };
        let mapping = gateway.open(7, 9).await;
        if let Some(mapping) = &mapping {
            mapping.close().await;
        }
        let asked = asked.lock().unwrap().clone();
        (mapping, asked)
    }

    /// A port is opened for good only where there is no other way, not at all where it leads nowhere, and it is closed.
    #[tokio::test]
    async fn what_is_opened_is_closed() {
        const OUTER: (bool, &str) = (true, "<NewExternalIPAddress>203.0.113.5</NewExternalIPAddress>");
        let lease = |asked: &str| inner(asked, "NewLeaseDuration").map(str::to_owned);
        let (mapping, asked) = router(vec![OUTER]).await;
        assert_eq!(mapping.map(|mapping| mapping.outer.to_string()), Some("203.0.113.5:9".into()));
        assert!(asked.len() == 3 && lease(&asked[1]) == Some("3600".into()), "{asked:?}");
        assert!(asked[2].contains("DeletePortMapping") && asked[2].contains("<NewExternalPort>9<"), "{asked:?}");
        let (mapping, asked) = router(vec![OUTER, (false, "<errorCode>718</errorCode>")]).await;
        assert!(mapping.is_none() && asked.len() == 2, "{asked:?}");
        let (mapping, asked) = router(vec![OUTER, (false, "<errorCode>725</errorCode>")]).await;
        assert!(mapping.is_some() && asked.len() == 4 && lease(&asked[2]) == Some("0".into()), "{asked:?}");
        let private = (true, "<NewExternalIPAddress>10.0.0.2</NewExternalIPAddress>");
        let (mapping, asked) = router(vec![private]).await;
        assert!(mapping.is_none() && asked.len() == 1, "{asked:?}");
    }
}
