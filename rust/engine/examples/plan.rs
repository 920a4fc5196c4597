//! Times the chosen plan against every fixed strategy. `benches/plan.py` runs this program.
//!
//! Standard input: a text on the first line, then one cell per line. The fields of a cell are separated by tabs: its
//! name, the goal (`score` or `window`), a cutoff, and the needles.
//!
//! Standard output: one line per cell with its name, and for each strategy its name and the minimum time of a call in
//! nanoseconds. The first strategy is the plan. Strategies that take more than three times as long as the fastest are
//! timed only once and left out.

use std::io::{BufRead, Write};

use groundwire_engine::{
    Cutoff, Never, ScoreAlignment, Sequential, Text, TextRef,
    internals::{PlanOverride, alignments_forced, scores_forced},
};

const STRATEGIES: [(&str, PlanOverride); 9] = [
    ("plan", PlanOverride::No),
    ("walk", PlanOverride::Walk),
    ("comb", PlanOverride::Comb),
    ("count in 1", PlanOverride::Count(1)),
    ("count in 2", PlanOverride::Count(2)),
    ("count in 4", PlanOverride::Count(4)),
    ("scan in 1", PlanOverride::Scan(1)),
    ("scan in 2", PlanOverride::Scan(2)),
    ("scan in 8", PlanOverride::Scan(8)),
];

/// The minimum time of a round, so that the resolution of the clock does not matter.
const ROUND_NS: u64 = 200_000;

/// The time for all rounds of a cell, and the limits of their number.
const BUDGET_NS: u64 = 80_000_000;
const ROUNDS: std::ops::RangeInclusive<u64> = 3..=15;

/// The maximum time of a strategy that is timed again, as a multiple of the fastest.
const MAX_RATIO: u64 = 3;

/// Returns the processor time of this thread in nanoseconds.
#[cfg(target_os = "linux")]
fn now() -> u64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Returns the nanoseconds since the first call.
#[cfg(not(target_os = "linux"))]
fn now() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}

/// Needles for a text, with a request.
struct Cell<'a> {
    needles: &'a [TextRef<'a>],
    text: TextRef<'a>,
    cutoff: Cutoff,
    needs_windows: bool,
}

impl Cell<'_> {
    fn scores(&self, plan_override: PlanOverride) -> Vec<f64> {
        let found = if self.needs_windows {
            let score = |best: Option<ScoreAlignment>| best.map_or(0.0, |best| best.ratio.score());
            alignments_forced(self.needles, self.text, self.cutoff, plan_override, &Sequential(&Never))
                .map(|found| found.into_iter().map(score).collect())
        } else {
            scores_forced(self.needles, self.text, self.cutoff, plan_override, &Sequential(&Never))
        };
        found.expect("`Never` does not cancel")
    }

    /// Returns the mean time of `calls` calls in nanoseconds.
    fn time(&self, plan_override: PlanOverride, calls: u64) -> u64 {
        let start = now();
        (0..calls).for_each(|_| drop(std::hint::black_box(self.scores(plan_override))));
        (now() - start) / calls
    }

    /// Returns the minimum time of the plan and of each fast strategy.
    fn race(&self) -> Vec<(&'static str, u64)> {
        let expected = self.scores(PlanOverride::No);
        for (name, plan_override) in STRATEGIES {
            assert_eq!(expected, self.scores(plan_override), "{name} returns different scores");
        }
        let once = |(name, plan_override)| (name, plan_override, self.time(plan_override, 1));
        let mut times: Vec<_> = STRATEGIES.into_iter().map(once).collect();
        let least = times.iter().map(|&(_, _, ns)| ns).min().unwrap_or(1).max(1);
        times.retain(|&(_, plan_override, ns)| plan_override == PlanOverride::No || ns <= MAX_RATIO * least);
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
        eprintln!("error: times of a debug build mean nothing; build with `--release`");
        std::process::exit(2);
    }
    let mut lines = std::io::stdin().lock().lines().map(|line| line.expect("standard input is UTF-8"));
    let text = lines.next().expect("the first line is a text");
    let text = Text::from(&text);
    for line in lines {
        let mut fields = line.split('\t');
        let name = fields.next().expect("a cell has a name");
        let needs_windows = fields.next().expect("a cell has a goal") == "window";
        let cutoff = fields.next().and_then(|field| field.parse().ok()).expect("a cell has a cutoff");
        let needles: Vec<Text<'_>> = fields.map(Text::from).collect();
        let needles: Vec<TextRef<'_>> = needles.iter().map(Text::units).collect();
        let cell = Cell { needles: &needles, text: text.units(), cutoff: Cutoff::Score(cutoff), needs_windows };
        let times: String = cell.race().iter().map(|(strategy, ns)| format!("\t{strategy}\t{ns}")).collect();
        println!("{name}{times}");
        std::io::stdout().flush().expect("standard output is open");
    }
}
