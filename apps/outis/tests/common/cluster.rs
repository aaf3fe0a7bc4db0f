//! A cluster of NATS servers on this machine. All traffic between servers, and to a server, goes through a proxy that
//! can be held: then nothing arrives and no error is reported, as in a partitioned network.

#![allow(dead_code, reason = "not every test uses everything")]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The longest wait for anything.
pub const LONG: Duration = Duration::from_secs(180);

/// Waits until a condition holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LONG, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A proxy in front of a server, wherever the server currently listens.
#[derive(Clone)]
pub struct Proxy {
    /// The port of the proxy.
    pub port: u16,
    to: Arc<Mutex<Option<SocketAddr>>>,
    held: Arc<AtomicBool>,
}

impl Proxy {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = Self { port, to: Arc::default(), held: Arc::default() };
        let own = proxy.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let own = own.clone();
                std::thread::spawn(move || own.carry(stream));
            }
        });
        proxy
    }

    fn carry(&self, from: TcpStream) {
        self.pass();
        let to = *self.to.lock().unwrap();
        let Some(to) = to.and_then(|to| TcpStream::connect(to).ok()) else { return };
        // Bytes are forwarded at once, without waiting for more.
        let _ = (from.set_nodelay(true), to.set_nodelay(true));
        let (back, forth) = ((to.try_clone().unwrap(), from.try_clone().unwrap()), (from, to));
        let own = self.clone();
        std::thread::spawn(move || own.copy(back.0, back.1));
        self.copy(forth.0, forth.1);
    }

    fn copy(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            self.pass();
            if to.write_all(&buffer[..n]).is_err() {
                break;
            }
        }
        let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
    }

    fn pass(&self) {
        while self.held.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// One server.
struct Node {
    child: Option<Child>,
    dir: PathBuf,
    door: Proxy,
    /// Proxies for the other servers, one for each.
    routes: Vec<Proxy>,
}

/// A number of servers, killed on drop.
pub struct Cluster {
    nodes: Vec<Node>,
    dir: PathBuf,
}

impl Cluster {
    /// Makes a cluster without starting its servers. `jetstream` is the configuration of each server's storage.
    pub fn new(name: &str, size: usize, jetstream: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("outis-nats-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        let node = |i| {
            let routes = (0..size).map(|_| Proxy::new()).collect();
            Node { child: None, dir: dir.join(format!("n{i}")), door: Proxy::new(), routes }
        };
        let nodes: Vec<Node> = (0..size).map(node).collect();
        for (i, node) in nodes.iter().enumerate() {
            std::fs::create_dir_all(&node.dir).unwrap();
            let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
            let routes: Vec<String> =
                others.map(|(_, other)| format!("\"nats-route://127.0.0.1:{}\"", other.routes[i].port)).collect();
            let at = node.dir.display();
            let mut text = format!(
                "server_name: n{i}\nlisten: \"127.0.0.1:-1\"\nmax_payload: 4MB\nports_file_dir: \"{at}\"\n\
                 log_file: \"{at}/log\"\njetstream {{ store_dir: \"{at}/data\", {jetstream} }}\n"
            );
            if size > 1 {
                // No server may learn an address that bypasses the proxies.
                text += &format!(
                    "cluster {{ name: outis, listen: \"127.0.0.1:-1\", advertise: \"127.0.0.1:1\", no_advertise: true, \
                     routes: [{}] }}\n",
                    routes.join(", ")
                );
            }
            std::fs::write(node.dir.join("conf"), text).unwrap();
        }
        Self { nodes, dir }
    }

    /// Makes a cluster of three and starts it.
    pub fn three(name: &str) -> Self {
        let mut cluster = Self::new(name, 3, "max_mem: 64MB, max_file: 1GB");
        (0..3).for_each(|i| cluster.start(i));
        cluster
    }

    /// Adds to the configuration of servers that are not running; `make` receives the folder of each.
    pub fn configure(&self, make: impl Fn(&std::path::Path) -> String) {
        for node in &self.nodes {
            let conf = node.dir.join("conf");
            let text = std::fs::read_to_string(&conf).unwrap() + &make(&node.dir);
            std::fs::write(conf, text).unwrap();
        }
    }

    /// The addresses for clients.
    pub fn servers(&self) -> Vec<String> {
        self.nodes.iter().map(|node| format!("127.0.0.1:{}", node.door.port)).collect()
    }

    /// Starts a server, or restarts it after a kill.
    pub fn start(&mut self, i: usize) {
        let node = &mut self.nodes[i];
        let mut command = Command::new(program());
        command.arg("-c").arg(node.dir.join("conf")).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        let ports = node.dir.join(format!("nats-server_{}.ports", child.id()));
        node.child = Some(child);
        let mut told = serde_json::Value::Null;
        until("a server does not start", || {
            let text = std::fs::read_to_string(&ports).unwrap_or_default();
            told = serde_json::from_str(&text).unwrap_or_default();
            !told.is_null()
        });
        let at = |kind: &str| told[kind][0].as_str().and_then(|url| url.split("//").nth(1)?.parse().ok());
        *node.door.to.lock().unwrap() = at("nats");
        node.routes.iter().for_each(|route| *route.to.lock().unwrap() = at("cluster"));
    }

    /// Kills a server as a crash would: SIGKILL.
    pub fn kill(&mut self, i: usize) {
        if let Some(mut child) = self.nodes[i].child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Cuts a server off from the others, or reconnects it. Its clients can still reach it.
    pub fn tear_off(&self, i: usize, held: bool) {
        let own = self.nodes[i].routes.iter();
        let others = self.nodes.iter().map(|node| &node.routes[i]);
        own.chain(others).for_each(|route| route.held.store(held, Ordering::SeqCst));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        (0..self.nodes.len()).for_each(|i| self.kill(i));
        if std::thread::panicking() {
            for node in &self.nodes {
                let log = std::fs::read_to_string(node.dir.join("log")).unwrap_or_default();
                let lines: Vec<&str> = log.lines().collect();
                eprintln!("{}:\n{}", node.dir.display(), lines[lines.len().saturating_sub(40)..].join("\n"));
            }
        }
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// The server program; without it there is nothing to test.
fn program() -> &'static str {
    let works = |name: &&str| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
    ["nats-server", "/usr/sbin/nats-server"]
        .into_iter()
        .find(works)
        .expect("nats-server is not installed: these tests start three of them (Debian: apt-get install nats-server)")
}
