//! What this process used so far: CPU time and memory of its own.

/// User + system time of all threads, ns.
pub fn cpu_ns() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let seconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) as f64;
    let micros = (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) as f64;
    1e9 * seconds + 1e3 * micros
}

/// User + system time of the calling thread, ns.
pub fn thread_cpu_ns() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    1e9 * time.tv_sec as f64 + time.tv_nsec as f64
}

/// Anonymous memory, as /proc/self/smaps_rollup tells it; 0 where it does not.
pub fn anonymous_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("Anonymous:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The value that `part` of all in `sorted` do not exceed.
pub fn percentile(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part).round() as usize]
}
