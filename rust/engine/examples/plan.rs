//! Times the plan that is chosen against each one forced; `benches/plan.py` asks for it.
//!
//! Standard input: a text on the first line, then a cell on each: its name, what is wanted (`score`
//! or `window`), a cutoff and needles, with tabs between them. Standard output: for each cell its name, and for each way its name and
//! the least time of a call in nanoseconds. The first way is the plan. Ways that take more than
//! three times as long as another one are not timed again, and are left out.

use std::io::{BufRead, Write};

use groundwire_engine::{
    Cutoff, Never, ScoreAlignment, Sequential, TextBuf, TextRef,
    internals::{PlanOverride, alignments_forced, scores_forced},
};

const WAYS: [(&str, PlanOverride); 10] = [
    ("plan", PlanOverride::No),
    ("walk", PlanOverride::Walk),
    ("comb", PlanOverride::Comb),
    ("count in 1", PlanOverride::Count(1)),
    ("count in 2", PlanOverride::Count(2)),
    ("count in 4", PlanOverride::Count(4)),
    ("scan in 1", PlanOverride::Scan(1)),
    ("scan in 2", PlanOverride::Scan(2)),
    ("scan in 4", PlanOverride::Scan(4)),
    ("scan in 8", PlanOverride::Scan(8)),
];

/// A round of a way takes at least this long, so that the clock does not count.
const ROUND_NS: u64 = 200_000;

/// Rounds of each way, as many as take this long together, but some.
const BUDGET_NS: u64 = 80_000_000;
const ROUNDS: std::ops::RangeInclusive<u64> = 3..=15;

/// Ways that take so many times as long as another one are out of the race.
const OUT: u64 = 3;

/// Nanoseconds of processor time of this thread.
#[cfg(target_os = "linux")]
fn now() -> u64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Nanoseconds since the first question.
#[cfg(not(target_os = "linux"))]
fn now() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}

/// In the narrowest width that holds all characters, as an interpreter stores them.
fn stored(text: &str) -> TextBuf {
    let codes: Vec<u32> = text.chars().map(u32::from).collect();
    match codes.iter().max().copied().unwrap_or(0) {
        0..=0xFF => codes.iter().map(|&code| code as u8).collect::<Vec<_>>().into(),
        0x100..=0xFFFF => codes.iter().map(|&code| code as u16).collect::<Vec<_>>().into(),
        _ => codes.into(),
    }
}

/// Needles for a text, and what is asked about them.
struct Cell<'a> {
    needles: &'a [TextRef<'a>],
    text: TextRef<'a>,
    cutoff: Cutoff,
    /// Whether windows are asked for too.
    are_windows_wanted: bool,
}

impl Cell<'_> {
    fn scores(&self, plan_override: PlanOverride) -> Vec<f64> {
        let found = if self.are_windows_wanted {
            let score = |best: Option<ScoreAlignment>| best.map_or(0.0, |best| best.ratio.score());
            alignments_forced(self.needles, self.text, self.cutoff, plan_override, &Sequential(&Never))
                .map(|found| found.into_iter().map(score).collect())
        } else {
            scores_forced(self.needles, self.text, self.cutoff, plan_override, &Sequential(&Never))
        };
        found.expect("nothing interrupts")
    }

    /// Nanoseconds of one of so many calls.
    fn time(&self, plan_override: PlanOverride, calls: u64) -> u64 {
        let start = now();
        (0..calls).for_each(|_| drop(std::hint::black_box(self.scores(plan_override))));
        (now() - start) / calls
    }

    /// The least time of each way that is not out of the race.
    fn race(&self) -> Vec<(&'static str, u64)> {
        let expected = self.scores(PlanOverride::No);
        for (name, plan_override) in WAYS {
            assert_eq!(expected, self.scores(plan_override), "{name} finds something else");
        }
        let mut times: Vec<_> =
            WAYS.iter().map(|&(name, plan_override)| (name, plan_override, self.time(plan_override, 1))).collect();
        let least = times.iter().map(|&(_, _, ns)| ns).min().unwrap_or(1).max(1);
        times.retain(|&(_, plan_override, ns)| plan_override == PlanOverride::No || ns <= OUT * least);
        let calls = ROUND_NS.div_ceil(least);
        let round: u64 = times.iter().map(|&(_, _, ns)| ns * calls).sum();
        for _ in 0..(BUDGET_NS / round.max(1)).clamp(*ROUNDS.start(), *ROUNDS.end()) {
            for (_, plan_override, ns) in &mut times {
                *ns = (*ns).min(self.time(*plan_override, calls));
            }
        }
        times.into_iter().map(|(name, _, ns)| (name, ns)).collect()
    }
}

fn main() {
    if cfg!(debug_assertions) {
        eprintln!("error: a debug build says nothing about time");
        std::process::exit(2);
    }
    let mut lines = std::io::stdin().lock().lines().map(|line| line.expect("standard input is UTF-8"));
    let text = stored(&lines.next().expect("the first line is a text"));
    for line in lines {
        let mut fields = line.split('\t');
        let name = fields.next().expect("a cell has a name");
        let are_windows_wanted = fields.next().expect("a cell wants something") == "window";
        let cutoff = fields.next().and_then(|field| field.parse().ok()).expect("a cell has a cutoff");
        let needles: Vec<TextBuf> = fields.map(stored).collect();
        let needles: Vec<TextRef<'_>> = needles.iter().map(TextBuf::units).collect();
        let cell = Cell { needles: &needles, text: text.units(), cutoff: Cutoff::Score(cutoff), are_windows_wanted };
        let times: String = cell.race().iter().map(|(way, ns)| format!("\t{way}\t{ns}")).collect();
        println!("{name}{times}");
        std::io::stdout().flush().expect("somebody reads");
    }
}
