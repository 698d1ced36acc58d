//! Endpoints: keys, suite, transport parameters, sockets.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use quinn::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use quinn::{ClientConfig, Endpoint, EndpointConfig, ServerConfig, TransportConfig, VarInt};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::options::Options;
use crate::Error;

const WINDOW: u32 = 16 << 20;
const RECEIVE_BUFFER: usize = 8 << 20;
/// How long an end waits for one that has died, beyond the rest that was asked for.
const SILENT: Duration = Duration::from_secs(60);
/// Of one connection's 1,000 and more: what a device sends fits.
const WINDOW_OF_MANY: u32 = 1 << 20;

fn transport(options: &Options) -> Result<Arc<TransportConfig>, Error> {
    let window = if options.connections > 1 { WINDOW_OF_MANY } else { WINDOW };
    let mut config = TransportConfig::default();
    config
        .initial_mtu(options.mtu)
        .min_mtu(options.mtu)
        .mtu_discovery_config(None)
        .max_idle_timeout(Some((SILENT + Duration::from_millis(options.rest_ms)).try_into()?))
        .stream_receive_window(VarInt::from_u32(window))
        .receive_window(VarInt::from_u32(window))
        .send_window(u64::from(window));
    Ok(Arc::new(config))
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    let mut provider = rustls::crypto::ring::default_provider();
    provider.cipher_suites = vec![rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256];
    Arc::new(provider)
}

fn open(address: Ipv4Addr, server: Option<ServerConfig>, buffer: usize) -> Result<Endpoint, Error> {
    let socket = UdpSocket::bind(SocketAddr::from((address, 0)))?;
    if buffer > 0 {
        socket2::SockRef::from(&socket).set_recv_buffer_size(buffer)?;
    }
    let runtime = Arc::new(quinn::TokioRuntime);
    Ok(Endpoint::new(EndpointConfig::default(), server, socket, runtime)?)
}

pub fn service(options: &Options) -> Result<Endpoint, Error> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".into()])?;
    let certificate = CertificateDer::from(made.cert);
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.key_pair.serialize_der()));
    let file = &options.certificate;
    std::fs::write(file, &certificate).map_err(|e| format!("{file}: {e}"))?;
    let tls = rustls::ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)?;
    let mut config = ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(tls)?));
    config.transport_config(transport(options)?).max_incoming(1 << 17);
    open(Ipv4Addr::LOCALHOST, Some(config), RECEIVE_BUFFER)
}

pub fn client_config(options: &Options) -> Result<ClientConfig, Error> {
    let file = &options.certificate;
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from(std::fs::read(file).map_err(|e| format!("{file}: {e}"))?))?;
    let tls = rustls::ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut config = ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls)?));
    config.transport_config(transport(options)?);
    Ok(config)
}

/// A client's endpoint on `address`, with a large receive buffer if it is for all.
pub fn client(address: Ipv4Addr, config: &ClientConfig, for_all: bool) -> Result<Endpoint, Error> {
    let mut endpoint = open(address, None, if for_all { RECEIVE_BUFFER } else { 0 })?;
    endpoint.set_default_client_config(config.clone());
    Ok(endpoint)
}
