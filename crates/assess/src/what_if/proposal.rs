//! Rented designs that the plan does not have: those that a person makes, and those that kinds propose.
//!
//! Model. Where kinds were searched, each proposes the smallest volume of it that the closed form says may do, until it was
//! searched for under what is asked.

use super::carried::Candidate;
use super::rented::{Rental, Rented, Searched, one};
use crate::facts::Design;
use crate::requirement::Requirements;
use serde::Serialize;

/// A rented design as the page names and shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Described {
    #[serde(flatten)]
    design: Design,
    drive: &'static str,
    title: String,
    usable_bytes: u64,
    rented: Rented,
}

/// A design that was not in the plan, under the place that it has among all.
#[derive(Clone, Debug, Serialize)]
pub struct Proposed {
    /// Its place.
    pub index: usize,
    /// What it is.
    pub design: Described,
}

impl Rental {
    /// A design of such volumes, with what is rented as near to what is asked as its kind allows.
    ///
    /// # Errors
    /// The plan does not know it, or the volumes do not make an array of this level.
    pub fn candidate(&self, mut rented: Rented, mut design: Design) -> Result<Candidate, String> {
        self.fit(&mut rented);
        let name = self.name(&rented)?;
        (design.partition, design.spares) = (1.0, 0);
        let made = Candidate::untried(name, design).ok_or("so many volumes make no array of this level")?;
        Ok(Candidate { drive: String::new(), rented: Some(rented), ..made })
    }

    /// Of each kind the smallest that may do, not yet searched for under what is asked.
    pub(super) fn proposed(&self, needs: &Requirements, peak: f64, designs: &[Candidate]) -> Vec<Candidate> {
        let under = Searched::under(needs, peak);
        let is_known = |kind: &String| {
            let mut of_kind = designs.iter().filter_map(|each| each.rented.as_ref());
            of_kind.any(|each| each.kind == *kind && each.searched.contains(&under))
        };
        let kinds = self.kinds.keys().filter(|kind| self.is_searched && !is_known(kind));
        kinds
            .filter_map(|kind| {
                let setting = self.reach(kind, under.gib, self.rates(kind, under.load)?.1)?;
                let rented = Rented { search: true, ..Rented::of(kind, &setting, self.instance.as_ref()) };
                self.candidate(rented, one()).ok()
            })
            .collect()
    }

    /// A design in words, with its shape.
    ///
    /// # Errors
    /// It is not rented.
    pub fn described(&self, candidate: &Candidate) -> Result<Described, String> {
        let rented = candidate.rented.as_ref().ok_or("this design is not rented")?;
        Ok(Described {
            design: candidate.design.clone(),
            drive: "",
            title: self.title(rented, &candidate.design),
            usable_bytes: self.usable_bytes(rented, &candidate.design),
            rented: rented.clone(),
        })
    }
}
