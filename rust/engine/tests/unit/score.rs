use super::*;

/// All ratios of a needle and a window of at most 26 characters together.
fn ratios() -> impl Iterator<Item = Ratio> {
    (1..=26).flat_map(|total| (0..=total / 2).map(move |lcs| Ratio::new(lcs, total)))
}

#[test]
fn ratios_compare_like_their_scores() {
    for (one, other) in ratios().flat_map(|one| ratios().map(move |other| (one, other))) {
        assert_eq!(one.score().total_cmp(&other.score()), one.cmp(&other));
        assert_eq!(one.score().partial_cmp(&other.score()), one.partial_cmp(&other));
        assert_eq!((one.score() < other.score(), one.score() == other.score()), (one < other, one == other));
    }
    assert!(ratios().all(|ratio| ratio.is_perfect() == (ratio.score() == 100.0)));
}

#[test]
fn scores_have_the_last_bit_of_rapidfuzz() {
    // What `rapidfuzz.fuzz.ratio` returns for such a needle and window.
    for (lcs, total, score) in [
        (0, 0, 100.0),
        (0, 9, 0.0),
        (9, 18, 100.0),
        (1, 6, 33.333_333_333_333_336),
        (2, 6, 66.666_666_666_666_67),
        (3, 7, 85.714_285_714_285_72),
        (5, 11, 90.909_090_909_090_9),
        (10, 23, 86.956_521_739_130_44),
    ] {
        assert_eq!(score, Ratio::new(lcs, total).score(), "{lcs} of {total}");
    }
}

#[test]
fn bounds_of_windows_are_those_of_a_search() {
    for (ratio, needle) in ratios().chain([Ratio::NONE]).flat_map(|ratio| (0..20).map(move |needle| (ratio, needle))) {
        let reaches = |lcs, window| Ratio::new(lcs, needle + window) >= ratio;
        let shortest = (0..=needle).find(|&window| needle + window == 0 || reaches(window, window));
        assert_eq!(shortest, Some(ratio.min_window(needle)), "{ratio:?} {needle}");
        let windows = ratio.min_window(needle)..needle;
        let most = windows.flat_map(|window| (0..=window).rev().find(|&outside| reaches(window - outside, window)));
        if let Some(most) = most.max() {
            assert_eq!(most, ratio.max_deletions(needle), "{ratio:?} {needle}");
        }
    }
}

#[test]
fn a_cutoff_accepts_no_lcs_below_its_minimum() {
    let scores = (-2..=204).map(|half| f64::from(half) / 2.0).chain([66.666_666_666_666_67, f64::NAN, f64::INFINITY]);
    for (cutoff, needle) in scores
        .flat_map(|score| [Cutoff::Score(score), Cutoff::Threshold(score / 100.0)])
        .flat_map(|cutoff| (0..40).map(move |needle| (cutoff, needle)))
    {
        let is_accepted = |lcs: &usize| match (cutoff, Ratio::new(*lcs, 2 * needle).score()) {
            (Cutoff::Score(cutoff), score) => score >= cutoff,
            (Cutoff::Threshold(threshold), score) => score / 100.0 >= threshold,
        };
        let least = (0..=needle).find(is_accepted);
        assert_eq!(least.unwrap_or(needle + 1), cutoff.min_lcs(needle), "{cutoff:?} {needle}");
        let highest_refused = Ratio::new(least.unwrap_or(needle + 1).saturating_sub(1), 2 * needle);
        assert_eq!(highest_refused, cutoff.below(needle), "{cutoff:?} {needle}");
        for lcs in 0..=needle {
            assert_eq!(is_accepted(&lcs), cutoff.accepts(Ratio::new(lcs, 2 * needle).score()));
        }
    }
}
