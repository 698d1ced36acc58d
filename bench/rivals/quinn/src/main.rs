//! quinn doing what bench/transport does with a link: a backlog of messages of one size on one stream, a u32 length
//! before each, every message checked byte for byte at the other end. A process for each end, one tokio thread each.
//!
//!     rival-quinn service SIZE COUNT CERTIFICATE    prints "PORT n", then its RESULT
//!     rival-quinn client  SIZE COUNT CERTIFICATE PORT
//!
//! CERTIFICATE is a file the service writes and the client reads. The path's MTU is pinned to 1,200 bytes (MTU in the
//! environment pins another), flow-control windows are 16 MiB, receive buffers 8 MiB, the suite is AES-128-GCM.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Instant;

use quinn::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use quinn::{ClientConfig, Endpoint, EndpointConfig, ServerConfig, TransportConfig, VarInt};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

type Error = Box<dyn std::error::Error>;

const WINDOW: u32 = 16 << 20;
const RECEIVE_BUFFER: usize = 8 << 20;
const BLOCK_MESSAGES: usize = 64;
const FILL: u8 = 0x5a;
const HEAD: usize = 4;

/// User + system time of this process.
fn cpu_ns() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let seconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) as f64;
    let micros = (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) as f64;
    1e9 * seconds + 1e3 * micros
}

/// One framed message with its number in the first eight bytes (shorter ones: as many as there are).
struct Pattern {
    framed: Vec<u8>,
    number_bytes: usize,
}

impl Pattern {
    fn new(size: usize) -> Self {
        let mut framed = vec![FILL; HEAD + size];
        framed[..HEAD].copy_from_slice(&(size as u32).to_be_bytes());
        Pattern { framed, number_bytes: size.min(8) }
    }

    fn stamp(&self, framed: &mut [u8], number: u64) {
        framed[HEAD..HEAD + self.number_bytes].copy_from_slice(&number.to_le_bytes()[..self.number_bytes]);
    }
}

/// Checks messages as they come, whole from where they lie, cut ones put together first.
struct Checker {
    pattern: Pattern,
    expected: Vec<u8>,
    next: u64,
    part: Vec<u8>,
}

impl Checker {
    fn new(size: usize) -> Self {
        let pattern = Pattern::new(size);
        let expected = pattern.framed.clone();
        Checker { pattern, expected, next: 1, part: Vec::new() }
    }

    fn one(&mut self, framed: &[u8]) -> Result<(), Error> {
        self.pattern.stamp(&mut self.expected, self.next);
        if framed != self.expected {
            return Err(format!("message {} came changed", self.next).into());
        }
        self.next += 1;
        Ok(())
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        let framed = self.expected.len();
        if !self.part.is_empty() {
            let wanted = (framed - self.part.len()).min(bytes.len());
            self.part.extend_from_slice(&bytes[..wanted]);
            bytes = &bytes[wanted..];
            if self.part.len() < framed {
                return Ok(());
            }
            let whole = std::mem::take(&mut self.part);
            self.one(&whole)?;
            self.part = whole;
            self.part.clear();
        }
        while bytes.len() >= framed {
            self.one(&bytes[..framed])?;
            bytes = &bytes[framed..];
        }
        self.part.extend_from_slice(bytes);
        Ok(())
    }
}

fn transport() -> Arc<TransportConfig> {
    let mtu: u16 = std::env::var("MTU").ok().and_then(|m| m.parse().ok()).unwrap_or(1200);
    let mut config = TransportConfig::default();
    config
        .initial_mtu(mtu)
        .min_mtu(mtu)
        .mtu_discovery_config(None)
        .stream_receive_window(VarInt::from_u32(WINDOW))
        .receive_window(VarInt::from_u32(WINDOW))
        .send_window(u64::from(WINDOW));
    Arc::new(config)
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    let mut provider = rustls::crypto::ring::default_provider();
    provider.cipher_suites = vec![rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256];
    Arc::new(provider)
}

fn endpoint(server: Option<ServerConfig>) -> Result<Endpoint, Error> {
    let socket = UdpSocket::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    socket2::SockRef::from(&socket).set_recv_buffer_size(RECEIVE_BUFFER)?;
    let runtime = Arc::new(quinn::TokioRuntime);
    Ok(Endpoint::new(EndpointConfig::default(), server, socket, runtime)?)
}

fn service_config(certificate_file: &str) -> Result<ServerConfig, Error> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".into()])?;
    let certificate = CertificateDer::from(made.cert);
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.key_pair.serialize_der()));
    std::fs::write(certificate_file, &certificate)?;
    let tls = rustls::ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)?;
    let mut config = ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(tls)?));
    config.transport_config(transport());
    Ok(config)
}

fn client_config(certificate_file: &str) -> Result<ClientConfig, Error> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from(std::fs::read(certificate_file)?))?;
    let tls = rustls::ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut config = ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls)?));
    config.transport_config(transport());
    Ok(config)
}

fn report(connection: &quinn::Connection, cpu: f64, wall: f64, count: u64) {
    let udp = connection.stats();
    println!(
        "RESULT {{\"cpu_ns\": {:.1}, \"records_per_s\": {:.0}, \"datagrams\": {}, \"sends\": {}}}",
        cpu / count as f64,
        1e9 * count as f64 / wall,
        udp.udp_tx.datagrams,
        udp.udp_tx.ios
    );
}

async fn service(size: usize, count: u64, certificate_file: &str) -> Result<(), Error> {
    let endpoint = endpoint(Some(service_config(certificate_file)?))?;
    println!("PORT {}", endpoint.local_addr()?.port());
    let connection = endpoint.accept().await.ok_or("no connection came")?.await?;
    let (mut answer, mut stream) = connection.accept_bi().await?;
    let (cpu, began) = (cpu_ns(), Instant::now());
    let mut checker = Checker::new(size);
    while let Some(chunk) = stream.read_chunk(usize::MAX, true).await? {
        checker.take(&chunk.bytes)?;
    }
    if checker.next != count + 1 || !checker.part.is_empty() {
        return Err(format!("{} messages of {} came", checker.next - 1, count).into());
    }
    answer.write_all(b"all").await?;
    answer.finish()?;
    report(&connection, cpu_ns() - cpu, began.elapsed().as_nanos() as f64, count);
    connection.closed().await;
    Ok(())
}

async fn client(size: usize, count: u64, certificate_file: &str, port: u16) -> Result<(), Error> {
    let mut endpoint = endpoint(None)?;
    endpoint.set_default_client_config(client_config(certificate_file)?);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let connection = endpoint.connect(address, "localhost")?.await?;
    let (mut stream, mut answer) = connection.open_bi().await?;
    let pattern = Pattern::new(size);
    let framed = pattern.framed.len();
    let mut block = pattern.framed.repeat(BLOCK_MESSAGES);
    let (cpu, began) = (cpu_ns(), Instant::now());
    let mut number = 0;
    while number < count {
        let messages = BLOCK_MESSAGES.min((count - number) as usize);
        for i in 0..messages {
            number += 1;
            pattern.stamp(&mut block[i * framed..(i + 1) * framed], number);
        }
        stream.write_all(&block[..messages * framed]).await?;
    }
    stream.finish()?;
    answer.read_to_end(16).await?;
    report(&connection, cpu_ns() - cpu, began.elapsed().as_nanos() as f64, count);
    connection.close(VarInt::from_u32(0), b"done");
    endpoint.wait_idle().await;
    Ok(())
}

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().collect();
    let usage = "usage: rival-quinn service SIZE COUNT CERTIFICATE | client SIZE COUNT CERTIFICATE PORT";
    if arguments.len() < 5 {
        return Err(usage.into());
    }
    let (size, count, file) = (arguments[2].parse()?, arguments[3].parse()?, arguments[4].as_str());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match (arguments[1].as_str(), arguments.get(5)) {
        ("service", None) => runtime.block_on(service(size, count, file)),
        ("client", Some(port)) => runtime.block_on(client(size, count, file, port.parse()?)),
        _ => Err(usage.into()),
    }
}
