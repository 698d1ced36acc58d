//! The thread that stores: framed messages in blocks of at most 60 KiB under the number of their first one, a transaction
//! as soon as the last one ended and anything waits. The same library and settings as purelink's store (LMDB, full
//! sync); no checksum and no state of streams, which purelink's has.

use std::ffi::{c_char, c_int, c_uint, c_void, CStr, CString};
use std::ptr::null_mut;
use std::sync::mpsc::{Receiver, SyncSender};

use crate::measure::thread_cpu_ns;
use crate::Error;

const BLOCK_BYTES: usize = 60 << 10;
const CHUNKS_A_COMMIT: usize = 4096;
const MAP_BYTES: usize = 1 << 36;
const MDB_CREATE: c_uint = 0x40000;
const MDB_APPEND: c_uint = 0x20000;

#[repr(C)]
struct Value {
    size: usize,
    data: *const c_void,
}

#[link(name = "lmdb")]
extern "C" {
    fn mdb_env_create(env: *mut *mut c_void) -> c_int;
    fn mdb_env_set_mapsize(env: *mut c_void, size: usize) -> c_int;
    fn mdb_env_set_maxdbs(env: *mut c_void, dbs: c_uint) -> c_int;
    fn mdb_env_open(env: *mut c_void, path: *const c_char, flags: c_uint, mode: c_uint) -> c_int;
    fn mdb_env_close(env: *mut c_void);
    fn mdb_txn_begin(env: *mut c_void, parent: *mut c_void, flags: c_uint, txn: *mut *mut c_void) -> c_int;
    fn mdb_txn_commit(txn: *mut c_void) -> c_int;
    fn mdb_dbi_open(txn: *mut c_void, name: *const c_char, flags: c_uint, dbi: *mut c_uint) -> c_int;
    fn mdb_put(txn: *mut c_void, dbi: c_uint, key: *mut Value, data: *mut Value, flags: c_uint) -> c_int;
    fn mdb_strerror(error: c_int) -> *const c_char;
}

fn check(error: c_int) -> Result<(), Error> {
    if error == 0 {
        return Ok(());
    }
    let text = unsafe { CStr::from_ptr(mdb_strerror(error)) };
    Err(format!("store: {}", text.to_string_lossy()).into())
}

/// Bytes as they came, and how many messages ended in all up to the end of them.
pub struct Chunk {
    pub bytes: bytes::Bytes,
    pub upto: u64,
}

struct Store {
    env: *mut c_void,
    table: c_uint,
    block: Vec<u8>,
    next: u64,
}

impl Store {
    fn open(directory: &str) -> Result<Store, Error> {
        std::fs::create_dir_all(directory).map_err(|e| format!("{directory}: {e}"))?;
        let path = CString::new(directory)?;
        let (mut env, mut txn, mut table) = (null_mut(), null_mut(), 0);
        unsafe {
            check(mdb_env_create(&mut env))?;
            check(mdb_env_set_mapsize(env, MAP_BYTES))?;
            check(mdb_env_set_maxdbs(env, 1))?;
            check(mdb_env_open(env, path.as_ptr(), 0, 0o600))?;
            check(mdb_txn_begin(env, null_mut(), 0, &mut txn))?;
            check(mdb_dbi_open(txn, c"log".as_ptr(), MDB_CREATE, &mut table))?;
            check(mdb_txn_commit(txn))?;
        }
        Ok(Store { env, table, block: Vec::with_capacity(2 * BLOCK_BYTES), next: 1 })
    }

    /// Puts what the block holds; `upto` messages are then in the table.
    fn put(&mut self, txn: *mut c_void, upto: u64) -> Result<(), Error> {
        let key = self.next.to_be_bytes();
        let mut name = Value { size: key.len(), data: key.as_ptr().cast() };
        let mut data = Value { size: self.block.len(), data: self.block.as_ptr().cast() };
        check(unsafe { mdb_put(txn, self.table, &mut name, &mut data, MDB_APPEND) })?;
        self.next = upto + 1;
        self.block.clear();
        Ok(())
    }

    fn commit(&mut self, chunks: &[Chunk]) -> Result<u64, Error> {
        let mut txn = null_mut();
        check(unsafe { mdb_txn_begin(self.env, null_mut(), 0, &mut txn) })?;
        let mut upto = self.next - 1;
        for chunk in chunks {
            self.block.extend_from_slice(&chunk.bytes);
            upto = chunk.upto;
            if self.block.len() >= BLOCK_BYTES && upto >= self.next {
                self.put(txn, upto)?;
            }
        }
        if upto >= self.next {
            self.put(txn, upto)?;
        }
        check(unsafe { mdb_txn_commit(txn) })?;
        Ok(upto)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        unsafe { mdb_env_close(self.env) }
    }
}

/// Stores until the other end of `chunks` is gone; tells each commit. Returns the CPU time of the thread, ns.
fn run(mut store: Store, chunks: Receiver<Chunk>, told: tokio::sync::watch::Sender<u64>) -> Result<f64, Error> {
    let mut waiting = Vec::new();
    while let Ok(first) = chunks.recv() {
        waiting.push(first);
        while waiting.len() < CHUNKS_A_COMMIT {
            match chunks.try_recv() {
                Ok(chunk) => waiting.push(chunk),
                Err(_) => break,
            }
        }
        let upto = store.commit(&waiting)?;
        waiting.clear();
        told.send_replace(upto);
    }
    Ok(thread_cpu_ns())
}

type Thread = std::thread::JoinHandle<Result<f64, Error>>;

/// Starts the thread: where to put chunks, what tells how many messages are durable, and the thread itself.
#[allow(clippy::type_complexity)]
pub fn start(directory: &str) -> Result<(SyncSender<Chunk>, tokio::sync::watch::Receiver<u64>, Thread), Error> {
    let store = OnThread(Store::open(directory)?);
    let (give, take) = std::sync::mpsc::sync_channel(CHUNKS_A_COMMIT);
    let (tell, told) = tokio::sync::watch::channel(0);
    let thread = std::thread::Builder::new().name("store".into()).spawn(move || {
        let store = store;
        run(store.0, take, tell)
    })?;
    Ok((give, told, thread))
}

/// The environment is handed to the one thread that uses it.
struct OnThread(Store);
unsafe impl Send for OnThread {}
