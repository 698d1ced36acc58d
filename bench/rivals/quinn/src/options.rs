//! The command line: a role, then options with values. What is wrong is said by name.

use crate::Error;

pub const HELP: &str = "\
rival-quinn: quinn 0.11 doing what the benchmarks of purelink do

usage: rival-quinn service     [--count N] [--connections N] [--store DIR] [--rest-ms N] COMMON
       rival-quinn stream        --port N [--count N] COMMON    a backlog over one stream
       rival-quinn links         --port N [--count N] [--connections N] COMMON
                                 the backlog over N connections at once, each from its own 127.x address
       rival-quinn idle          --port N [--connections N] [--rest-ms N] COMMON
                                 a message on each of N connections, then rest
       rival-quinn first-contact --port N [--connections N] COMMON
                                 one after another: connect, one message, its answer
       rival-quinn reconnect     --port N [--connections N] COMMON
                                 all connect at once, a message each, until all are answered

COMMON:
  --certificate FILE  the service writes it, the others read it (required)
  --size BYTES        of a message, 1 to 1048576 (default 61)
  --mix FILE          sizes of messages instead, a line each, taken in turn
  --mtu BYTES         UDP payload of a packet, 1200 to 1472 (default 1200)
  --turns             links: a message of each connection at a time, the next when it is answered

  --count N           messages of all connections together (default 1000)
  --connections N     1 to 100000 (default 1)
  --port N            of the service, which prints \"PORT n\" when it is ready
  --store DIR         service: a thread stores messages with LMDB, and they are answered when they are durable
  --rest-ms N         how long to rest before the end (default 0)

The last line is RESULT {json}. The suite is AES-128-GCM, flow-control windows are 16 MiB, receive buffers 8 MiB; the
path's MTU is pinned. Each role is a process with one tokio thread (and the thread that stores).
";

#[derive(Clone, Copy, PartialEq)]
pub enum Role {
    Service,
    Stream,
    Links,
    Idle,
    FirstContact,
    Reconnect,
}

#[derive(Clone)]
pub struct Options {
    pub role: Role,
    pub certificate: String,
    pub size: usize,
    pub mix: Option<String>,
    pub mtu: u16,
    pub turns: bool,
    pub count: u64,
    pub connections: u64,
    pub port: u16,
    pub store: Option<String>,
    pub rest_ms: u64,
}

fn number(name: &str, text: &str, least: u64, most: u64) -> Result<u64, Error> {
    match text.parse::<u64>() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("{name}: \"{text}\" is not a number from {least} to {most}").into()),
    }
}

fn role(name: &str) -> Result<Role, Error> {
    Ok(match name {
        "service" => Role::Service,
        "stream" => Role::Stream,
        "links" => Role::Links,
        "idle" => Role::Idle,
        "first-contact" => Role::FirstContact,
        "reconnect" => Role::Reconnect,
        other => return Err(format!("\"{other}\" is not a role; --help lists them").into()),
    })
}

impl Options {
    fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        match name {
            "--certificate" => self.certificate = value.into(),
            "--size" => self.size = number(name, value, 1, 1 << 20)? as usize,
            "--mix" => self.mix = Some(value.into()),
            "--mtu" => self.mtu = number(name, value, 1200, 1472)? as u16,
            "--count" => self.count = number(name, value, 1, u64::MAX)?,
            "--connections" => self.connections = number(name, value, 1, 100_000)?,
            "--port" => self.port = number(name, value, 1, 65535)? as u16,
            "--store" => self.store = Some(value.into()),
            "--rest-ms" => self.rest_ms = number(name, value, 0, 3_600_000)?,
            other => return Err(format!("\"{other}\" is not an option; --help lists them").into()),
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Error> {
        if self.certificate.is_empty() {
            return Err("--certificate is missing".into());
        }
        if self.role != Role::Service && self.port == 0 {
            return Err("--port is missing".into());
        }
        if self.role == Role::Links && self.count % self.connections != 0 {
            return Err("--count: not a multiple of --connections".into());
        }
        if self.store.is_some() && (self.role != Role::Service || self.connections > 1) {
            return Err("--store is for a service of one connection".into());
        }
        Ok(())
    }

    /// None: help was asked for.
    pub fn parse(arguments: &[String]) -> Result<Option<Options>, Error> {
        if arguments.iter().any(|a| a == "--help" || a == "-h") {
            return Ok(None);
        }
        let name = arguments.first().ok_or("a role is missing; --help lists them")?;
        let mut options = Options {
            role: role(name)?,
            certificate: String::new(),
            size: 61,
            mix: None,
            mtu: 1200,
            turns: false,
            count: 1000,
            connections: 1,
            port: 0,
            store: None,
            rest_ms: 0,
        };
        let mut rest = arguments[1..].iter();
        while let Some(name) = rest.next() {
            if name == "--turns" {
                options.turns = true;
                continue;
            }
            let value = rest.next().ok_or(format!("{name}: its value is missing"))?;
            options.set(name, value)?;
        }
        options.check()?;
        Ok(Some(options))
    }
}
