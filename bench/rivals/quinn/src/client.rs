//! The clients: who connects, when, and what each sends.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;

use quinn::{Connection, Endpoint, RecvStream, SendStream, VarInt};
use tokio::task::JoinSet;
use tokio::time::{sleep, Duration};

use crate::measure::{anonymous_bytes, cpu_ns, percentile};
use crate::options::{Options, Role};
use crate::pattern::Pattern;
use crate::{setup, Error};

/// Time for the service to take its own marks after the last handshake.
const SETTLE: Duration = Duration::from_millis(200);

const ANSWERS_LEFT: usize = 1 << 16;

type Streams = (SendStream, RecvStream);

async fn connect(endpoint: &Endpoint, port: u16) -> Result<Connection, Error> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    Ok(endpoint.connect(address, "localhost")?.await?)
}

/// The address of device `i`: 127.1.0.1 and on.
fn own_address(i: u64) -> Ipv4Addr {
    Ipv4Addr::new(127, 1 + (i / 50_000) as u8, (i / 250 % 200) as u8, 1 + (i % 250) as u8)
}

/// Reads answers until the service said `upto`.
async fn wait_for(answers: &mut RecvStream, upto: u64) -> Result<(), Error> {
    let mut bytes = [0; 8];
    loop {
        answers.read_exact(&mut bytes).await?;
        let said = u64::from_le_bytes(bytes);
        if said > upto {
            return Err(format!("{said} messages answered, {upto} sent").into());
        }
        if said == upto {
            return Ok(());
        }
    }
}

/// Answers may be said twice at the end: they are read, or the service would find its stream stopped.
async fn end(answers: &mut RecvStream) -> Result<(), Error> {
    answers.read_to_end(ANSWERS_LEFT).await?;
    Ok(())
}

async fn send_backlog(streams: &mut Streams, mut pattern: Pattern, count: u64) -> Result<(), Error> {
    let mut number = 0;
    while number < count {
        let messages = pattern.messages().min((count - number) as usize);
        for i in 0..messages {
            number += 1;
            pattern.stamp(i, number);
        }
        streams.0.write_all(&pattern.bytes[..pattern.end(messages)]).await?;
    }
    streams.0.finish()?;
    wait_for(&mut streams.1, count).await?;
    end(&mut streams.1).await
}

/// A message, its answer, the next one.
async fn send_turns(streams: &mut Streams, mut pattern: Pattern, count: u64) -> Result<(), Error> {
    for number in 1..=count {
        let i = ((number - 1) % pattern.messages() as u64) as usize;
        pattern.stamp(i, number);
        let (from, to) = (pattern.end(i), pattern.end(i + 1));
        streams.0.write_all(&pattern.bytes[from..to]).await?;
        wait_for(&mut streams.1, number).await?;
    }
    streams.0.finish()?;
    end(&mut streams.1).await
}

/// Every client's connection, made before the clock starts.
struct Clients {
    endpoints: Vec<Endpoint>,
    connections: Vec<Connection>,
}

/// One after another where each has its own address, so that none waits for another's handshake too long.
async fn connect_all(options: &Options) -> Result<Clients, Error> {
    let config = setup::client_config(options)?;
    let mut clients = Clients { endpoints: Vec::new(), connections: Vec::new() };
    for i in 0..options.connections {
        if options.role == Role::Links {
            clients.endpoints.push(setup::client(own_address(i), &config, false)?);
        } else if i == 0 {
            clients.endpoints.push(setup::client(Ipv4Addr::LOCALHOST, &config, true)?);
        }
        let endpoint = clients.endpoints.last().ok_or("no endpoint")?;
        clients.connections.push(connect(endpoint, options.port).await?);
    }
    Ok(clients)
}

async fn close_all(clients: &Clients) {
    for connection in &clients.connections {
        connection.close(VarInt::from_u32(0), b"done");
    }
    for endpoint in &clients.endpoints {
        endpoint.wait_idle().await;
    }
}

fn datagrams(connections: &[Connection]) -> (u64, u64, u64) {
    connections.iter().map(|c| c.stats()).fold((0, 0, 0), |(sent, calls, got), s| {
        (sent + s.udp_tx.datagrams, calls + s.udp_tx.ios, got + s.udp_rx.datagrams)
    })
}

/// stream, links, idle: what is made beforehand is not counted.
async fn send_all(options: &Options, pattern: Pattern) -> Result<(), Error> {
    let clients = connect_all(options).await?;
    let mut streams = Vec::new();
    for connection in &clients.connections {
        streams.push(connection.open_bi().await?);
    }
    sleep(SETTLE).await;
    let (cpu, began) = (cpu_ns(), Instant::now());
    let mut tasks = JoinSet::new();
    for mut pair in streams {
        let (pattern, turns) = (pattern.clone(), options.turns);
        let count = options.count / options.connections;
        tasks.spawn(async move {
            match turns {
                true => send_turns(&mut pair, pattern, count).await,
                false => send_backlog(&mut pair, pattern, count).await,
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    let (cpu, wall) = (cpu_ns() - cpu, began.elapsed().as_secs_f64());
    let (sent, calls, received) = datagrams(&clients.connections);
    sleep(Duration::from_millis(options.rest_ms)).await;
    println!(
        "RESULT {{\"cpu_ns\": {:.1}, \"records_per_s\": {:.0}, \"datagrams\": {sent}, \"sends\": {calls}, \
         \"received\": {received}, \"rest_bytes\": {}}}",
        cpu / options.count as f64,
        options.count as f64 / wall,
        anonymous_bytes()
    );
    close_all(&clients).await;
    Ok(())
}

/// From nothing to the first message answered; the seconds it took.
async fn contact(endpoint: Endpoint, port: u16, pattern: Pattern) -> Result<(f64, Connection), Error> {
    let began = Instant::now();
    let connection = connect(&endpoint, port).await?;
    let mut streams = connection.open_bi().await?;
    send_backlog(&mut streams, pattern, 1).await?;
    Ok((began.elapsed().as_secs_f64(), connection))
}

/// first-contact: one after another. reconnect: all at once.
async fn contact_all(options: &Options, pattern: Pattern) -> Result<(), Error> {
    let config = setup::client_config(options)?;
    let endpoint = setup::client(Ipv4Addr::LOCALHOST, &config, true)?;
    let (cpu, began) = (cpu_ns(), Instant::now());
    let (mut times, mut connections, mut tasks) = (Vec::new(), Vec::new(), JoinSet::new());
    for _ in 0..options.connections {
        tasks.spawn(contact(endpoint.clone(), options.port, pattern.clone()));
        if options.role == Role::FirstContact {
            let (seconds, connection) = tasks.join_next().await.ok_or("no task")???;
            times.push(seconds);
            connections.push(connection);
        }
    }
    while let Some(ended) = tasks.join_next().await {
        let (seconds, connection) = ended??;
        times.push(seconds);
        connections.push(connection);
    }
    let (cpu, wall) = (cpu_ns() - cpu, began.elapsed().as_secs_f64());
    let (sent, _, received) = datagrams(&connections);
    let each = options.connections as f64;
    times.sort_by(f64::total_cmp);
    println!(
        "RESULT {{\"p50_us\": {:.0}, \"p99_us\": {:.0}, \"max_us\": {:.0}, \"seconds\": {wall:.4}, \
         \"sent_each\": {:.2}, \"received_each\": {:.2}, \"cpu_us_each\": {:.1}}}",
        1e6 * percentile(&times, 0.5),
        1e6 * percentile(&times, 0.99),
        1e6 * percentile(&times, 1.0),
        sent as f64 / each,
        received as f64 / each,
        cpu / each / 1e3
    );
    close_all(&Clients { endpoints: vec![endpoint], connections }).await;
    Ok(())
}

pub async fn run(mut options: Options, pattern: Pattern) -> Result<(), Error> {
    match options.role {
        Role::FirstContact | Role::Reconnect => contact_all(&options, pattern).await,
        Role::Idle => {
            options.count = options.connections;
            send_all(&options, pattern).await
        }
        _ => send_all(&options, pattern).await,
    }
}
