use super::*;

#[test]
fn the_instruction_set_in_use_cannot_be_narrowed() {
    let used = isa();
    assert_eq!(Ok(()), limit_isa(used));
    assert_eq!(Ok(()), limit_isa(Isa::Avx512));
    let narrower = if used == Isa::Baseline { Ok(()) } else { Err(AlreadyInUse(used)) };
    assert_eq!(narrower, limit_isa(Isa::Baseline));
}
