//! Messages and their checking, as bench/lib/pattern.c has them: sizes taken in turn, the message's number in its first
//! eight bytes (shorter ones: as many as there are), a u32 length before each.

use crate::Error;

const FILL: u8 = 0x5a;
const HEAD: usize = 4;
const BLOCK_MESSAGES: usize = 64;
const BLOCK_BYTES: usize = 1 << 16;
const MESSAGE_MAX: usize = 1 << 20;

/// A cycle of framed messages, one behind the other.
#[derive(Clone)]
pub struct Pattern {
    pub bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl Pattern {
    pub fn new(sizes: &[usize]) -> Self {
        let mut pattern = Pattern { bytes: Vec::new(), starts: vec![0] };
        for size in sizes {
            pattern.bytes.extend_from_slice(&(*size as u32).to_be_bytes());
            pattern.bytes.resize(pattern.bytes.len() + size, FILL);
            pattern.starts.push(pattern.bytes.len());
        }
        pattern
    }

    pub fn uniform(size: usize) -> Self {
        let fit = BLOCK_BYTES / (HEAD + size);
        Self::new(&vec![size; fit.clamp(1, BLOCK_MESSAGES)])
    }

    /// Sizes from a file, a line each.
    pub fn mix(file: &str) -> Result<Self, Error> {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let mut sizes = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            match line.parse::<usize>() {
                Ok(size) if (1..=MESSAGE_MAX).contains(&size) => sizes.push(size),
                _ => return Err(format!("{file}:{}: not a size from 1 to {MESSAGE_MAX}", at + 1).into()),
            }
        }
        if sizes.is_empty() {
            return Err(format!("{file}: no sizes").into());
        }
        Ok(Self::new(&sizes))
    }

    pub fn messages(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn end(&self, messages: usize) -> usize {
        self.starts[messages]
    }

    /// Writes `number` into the message at place `i` of the cycle.
    pub fn stamp(&mut self, i: usize, number: u64) {
        let (from, to) = (self.starts[i] + HEAD, self.starts[i + 1]);
        if let Some(place) = self.bytes[from..to].first_chunk_mut::<8>() {
            *place = number.to_le_bytes();
        } else {
            self.bytes[from..to].copy_from_slice(&number.to_le_bytes()[..to - from]);
        }
    }

    /// `messages` of the cycle from place `i` on, which lie one behind the other.
    fn framed(&self, i: usize, messages: usize) -> &[u8] {
        &self.bytes[self.starts[i]..self.starts[i + messages]]
    }

    /// How many messages from place `i` to the cycle's end are whole in `n` bytes.
    fn whole(&self, i: usize, n: usize) -> usize {
        let end = self.starts[i] + n;
        self.starts[i + 1..].partition_point(|&start| start <= end)
    }
}

/// Checks messages as they come, whole from where they lie, cut ones put together first.
pub struct Checker {
    expected: Pattern,
    place: usize,
    next: u64,
    part: Vec<u8>,
}

impl Checker {
    pub fn new(expected: Pattern) -> Self {
        Checker { expected, place: 0, next: 1, part: Vec::new() }
    }

    /// Messages that came whole.
    pub fn count(&self) -> u64 {
        self.next - 1
    }

    pub fn is_whole(&self) -> bool {
        self.part.is_empty()
    }

    /// Length of the message that comes next, its head included.
    fn wanted(&self) -> usize {
        self.expected.framed(self.place, 1).len()
    }

    /// Compares as many messages as are whole, up to the cycle's end. Returns their bytes.
    fn some(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let messages = self.expected.whole(self.place, bytes.len());
        for i in 0..messages {
            self.expected.stamp(self.place + i, self.next + i as u64);
        }
        let framed = self.expected.framed(self.place, messages);
        if bytes[..framed.len()] != *framed {
            return Err(format!("of messages {} to {} one came changed", self.next, self.next + messages as u64 - 1).into());
        }
        self.next += messages as u64;
        self.place = (self.place + messages) % self.expected.messages();
        Ok(framed.len())
    }

    /// Returns how many bytes of it end whole messages.
    pub fn take(&mut self, mut bytes: &[u8]) -> Result<usize, Error> {
        let all = bytes.len();
        if !self.part.is_empty() {
            let missing = (self.wanted() - self.part.len()).min(bytes.len());
            self.part.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.part.len() < self.wanted() {
                return Ok(0);
            }
            let whole = std::mem::take(&mut self.part);
            self.some(&whole)?;
            self.part = whole;
            self.part.clear();
        }
        while bytes.len() >= self.wanted() {
            let framed = self.some(bytes)?;
            bytes = &bytes[framed..];
        }
        self.part.extend_from_slice(bytes);
        Ok(all - bytes.len())
    }
}
