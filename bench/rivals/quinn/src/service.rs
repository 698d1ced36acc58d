//! The service: checks every message of every connection, answers, tells what it took.

use std::sync::Arc;
use std::time::Instant;

use quinn::{Connection, RecvStream, SendStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, Duration};

use crate::measure::{anonymous_bytes, cpu_ns};
use crate::options::Options;
use crate::pattern::{Checker, Pattern};
use crate::{setup, store, Error};

/// What a connection's task needs.
struct Task {
    options: Options,
    pattern: Pattern,
    messages: u64,
    done: Arc<Semaphore>,
}

/// Messages are answered when they were checked: all at once at the end, or as they come.
async fn answer(task: &Task, answers: &mut SendStream, stream: &mut RecvStream) -> Result<(), Error> {
    let mut checker = Checker::new(task.pattern.clone());
    let mut answered = 0;
    while let Some(chunk) = stream.read_chunk(usize::MAX, true).await? {
        checker.take(&chunk.bytes)?;
        if task.options.turns && checker.count() > answered {
            answered = checker.count();
            answers.write_all(&answered.to_le_bytes()).await?;
        }
    }
    end(task, &checker)?;
    answers.write_all(&checker.count().to_le_bytes()).await?;
    Ok(())
}

fn end(task: &Task, checker: &Checker) -> Result<(), Error> {
    if checker.count() != task.messages || !checker.is_whole() {
        return Err(format!("{} messages of {} came", checker.count(), task.messages).into());
    }
    Ok(())
}

/// Messages are answered when they are durable. Returns the CPU time of the thread that stores.
async fn store_and_answer(
    task: &Task,
    answers: &mut SendStream,
    stream: &mut RecvStream,
    directory: &str,
) -> Result<f64, Error> {
    let (give, mut told, thread) = store::start(directory)?;
    let mut checker = Checker::new(task.pattern.clone());
    loop {
        tokio::select! {
            biased;
            changed = told.changed() => {
                changed?;
                let upto = *told.borrow_and_update();
                answers.write_all(&upto.to_le_bytes()).await?;
            }
            chunk = stream.read_chunk(usize::MAX, true) => {
                let Some(chunk) = chunk? else { break };
                checker.take(&chunk.bytes)?;
                give.send(store::Chunk { bytes: chunk.bytes, upto: checker.count() })?;
            }
        }
    }
    end(task, &checker)?;
    drop(give);
    while *told.borrow() < task.messages {
        told.changed().await?;
    }
    answers.write_all(&task.messages.to_le_bytes()).await?;
    thread.join().map_err(|_| "the thread that stores ended early")?
}

async fn serve(task: Arc<Task>, connection: Connection) -> Result<f64, Error> {
    let (mut answers, mut stream) = connection.accept_bi().await?;
    let mut store_ns = 0.0;
    match &task.options.store {
        None => answer(&task, &mut answers, &mut stream).await?,
        Some(directory) => store_ns = store_and_answer(&task, &mut answers, &mut stream, directory).await?,
    }
    answers.finish()?;
    task.done.add_permits(1);
    connection.closed().await;
    Ok(store_ns)
}

/// Since when, and how much had been used and was resident then.
struct Mark {
    cpu_ns: f64,
    bytes: u64,
    at: Instant,
}

fn mark() -> Mark {
    Mark { cpu_ns: cpu_ns(), bytes: anonymous_bytes(), at: Instant::now() }
}

struct Figures {
    ready: Mark,
    connected: Mark,
    done: Mark,
    rested: Mark,
}

fn report(options: &Options, figures: &Figures, store_ns: f64) {
    let count = options.count as f64;
    println!(
        "RESULT {{\"cpu_ns\": {:.1}, \"store_ns\": {:.1}, \"records_per_s\": {:.0}, \"cpu_all_ms\": {:.2}, \
         \"seconds\": {:.4}, \"ready_bytes\": {}, \"rest_bytes\": {}, \"rest_cpu_ms\": {:.2}}}",
        (figures.done.cpu_ns - figures.connected.cpu_ns) / count,
        store_ns / count,
        count / (figures.done.at - figures.connected.at).as_secs_f64(),
        (figures.done.cpu_ns - figures.ready.cpu_ns) / 1e6,
        (figures.done.at - figures.ready.at).as_secs_f64(),
        figures.ready.bytes,
        figures.rested.bytes,
        (figures.rested.cpu_ns - figures.done.cpu_ns) / 1e6,
    );
}

pub async fn run(options: Options, pattern: Pattern) -> Result<(), Error> {
    let endpoint = setup::service(&options)?;
    println!("PORT {}", endpoint.local_addr()?.port());
    let task = Arc::new(Task {
        messages: options.count / options.connections,
        done: Arc::new(Semaphore::new(0)),
        options: options.clone(),
        pattern,
    });
    let ready = mark();
    let mut tasks = JoinSet::new();
    for _ in 0..options.connections {
        let connection = endpoint.accept().await.ok_or("no connection came")?;
        let task = task.clone();
        // A handshake must not keep others waiting.
        tasks.spawn(async move { serve(task, connection.await?).await });
    }
    let connected = mark();
    tokio::select! {
        all = task.done.acquire_many(options.connections as u32) => drop(all?),
        failed = first_failure(&mut tasks) => return Err(failed),
    }
    let done = mark();
    sleep(Duration::from_millis(options.rest_ms)).await;
    let rested = mark();
    let mut store_ns = 0.0;
    while let Some(ended) = tasks.join_next().await {
        store_ns += ended??;
    }
    report(&options, &Figures { ready, connected, done, rested }, store_ns);
    Ok(())
}

/// Returns only for a task that failed.
async fn first_failure(tasks: &mut JoinSet<Result<f64, Error>>) -> Error {
    loop {
        match tasks.join_next().await {
            Some(Ok(Ok(_))) => {}
            Some(Ok(Err(error))) => return error,
            Some(Err(error)) => return error.into(),
            None => std::future::pending().await,
        }
    }
}
