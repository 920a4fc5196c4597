//! Test texts that stress different parts of fuzzy search.

/// A deterministic pseudo-random generator.
pub struct Random(pub u32);

impl Random {
    /// Returns a number in `0..below`.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % below
    }
}

const WORDS: &str = "the and to i a of it that in was you my is for not so but have with at sleep sleeping tired really \
    nothing because morning mornings always think thinking work worked eat eating hardly friend friends about \
    would could should sister again against worry worries enough through thought little much anything \
    interested interest concentrate concentration pleasure hopeless helpless";

/// Returns random characters from the first `letters` letters of the alphabet.
pub fn noise(chars: usize, letters: usize, seed: u32) -> Vec<u32> {
    let mut random = Random(seed);
    (0..chars).map(|_| 0x61 + random.below(letters) as u32).collect()
}

/// Returns random words separated by spaces; words early in the list are the most frequent.
pub fn prose(chars: usize, seed: u32) -> Vec<u32> {
    let mut random = Random(seed);
    let words: Vec<&str> = WORDS.split(' ').collect();
    let mut text = String::new();
    while text.len() < chars {
        let most = 1 + random.below(words.len());
        text += words[random.below(most)];
        text.push(' ');
    }
    let mut text = super::codes(&text[..chars]);
    // Normalised texts neither start nor end with a space.
    text[chars - 1] = 0x7A;
    text
}

/// Returns the Fibonacci word `a`, `ab`, `aba`, `abaab`, …: no part of it occurs more than three times in a row.
pub fn fibonacci(chars: usize) -> Vec<u32> {
    let (mut last, mut text) = (vec![0x62], vec![0x61]);
    while text.len() < chars {
        let next = [text.as_slice(), &last].concat();
        last = std::mem::replace(&mut text, next);
    }
    text.truncate(chars);
    text
}

/// Returns `phrase`, repeated up to `chars` characters.
pub fn repeated(phrase: &str, chars: usize) -> Vec<u32> {
    super::codes(phrase).into_iter().cycle().take(chars).collect()
}

/// Returns characters whose lowest five bits hardly differ.
pub fn alike(chars: usize, seed: u32) -> Vec<u32> {
    let mut random = Random(seed);
    (0..chars).map(|_| [0x61, 0x21, 0xE1, 0x62, 0xE2, 0x22][random.below(6)]).collect()
}

/// Returns more distinct characters than a source can store in one byte each.
pub fn many_characters(chars: usize, base: u32, seed: u32) -> Vec<u32> {
    let mut random = Random(seed);
    (0..chars).map(|_| base + random.below(700) as u32).collect()
}

/// Moves the letters `a` to `z` and the space to the code points from `base`.
pub fn moved(codes: &[u32], base: u32) -> Vec<u32> {
    codes.iter().map(|&code| base + if code == 0x20 { 26 } else { code - 0x61 }).collect()
}

/// The number of kinds of text.
pub const KINDS: usize = 14;

/// Returns a text of every kind, with its name.
pub fn all(chars: usize, seed: u32) -> Vec<(&'static str, Vec<u32>)> {
    let prose = prose(chars, seed);
    vec![
        ("noise of 2", noise(chars, 2, seed)),
        ("noise of 4", noise(chars, 4, seed)),
        ("noise of 26", noise(chars, 26, seed)),
        ("ab", repeated("ab", chars)),
        ("a", repeated("a", chars)),
        ("a phrase", repeated("i-cannot-sleep,and-i-cannot-eat;", chars)),
        ("Fibonacci", fibonacci(chars)),
        ("alike", alike(chars, seed)),
        ("2 bytes", moved(&prose, 0x4E00)),
        ("surrogates", moved(&noise(chars, 20, seed), 0xD800)),
        ("4 bytes", moved(&prose, 0x1_F600)),
        ("many characters of 2 bytes", many_characters(chars, 0x4E00, seed)),
        ("many characters of 4 bytes", many_characters(chars, 0x2_0000, seed)),
        ("prose", prose),
    ]
}

/// Returns `needle` with `edits` characters replaced, inserted or removed.
pub fn edited(needle: &[u32], edits: usize, random: &mut Random) -> Vec<u32> {
    let mut needle = needle.to_vec();
    for _ in 0..edits {
        if needle.is_empty() {
            break;
        }
        let place = random.below(needle.len());
        // One that fits in a byte, one that does not, and one that occurs in the needle.
        let other = [0x7A, 0x3042, needle[random.below(needle.len())]][random.below(3)];
        match random.below(3) {
            0 => needle[place] = other,
            1 => needle.insert(place, other),
            _ => drop(needle.remove(place)),
        }
    }
    needle
}

/// Returns needles of about these lengths: parts of `text` from its start, its end and in between, with no edits up to
/// too many.
pub fn needles(text: &[u32], lengths: &[usize], seed: u32) -> Vec<Vec<u32>> {
    let mut random = Random(seed);
    let needle = |(index, &len): (usize, &usize)| {
        let len = len.min(text.len());
        let start = match index % 4 {
            0 => random.below(4),
            1 => text.len() - len - random.below(4).min(text.len() - len),
            _ => random.below(text.len() - len + 1),
        };
        let part = &text[start.min(text.len() - len)..][..len];
        let edits = [1, len / 12, len / 30 + 1, len / 5, 0][random.below(5)];
        edited(part, edits, &mut random)
    };
    lengths.iter().enumerate().map(needle).collect()
}
