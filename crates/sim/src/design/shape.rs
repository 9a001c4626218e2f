//! What a design is in one word, such as RAID 50 in two groups: what redundancy and cost are judged by.
//!
//! An array of arrays has the word of the array that it equals in what may fail: RAID 0 over equal arrays of RAID 1, 5 or 6
//! is RAID 10, 50 or 60 in as many groups. What has no such word has no shape: no cache has.

use super::{ArraySpec, Element};
use crate::raid::Level;

/// Drives of which any may fail in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// None: a drive alone.
    pub level: Option<Level>,
    /// Groups that data are spread over, each with redundancy of its own.
    pub groups: usize,
    /// Drives that wait for a failure.
    pub spares: usize,
}

impl Element {
    /// The shape; none for arrays of arrays but those of RAID 10, 50 and 60.
    pub fn shape(&self) -> Option<Shape> {
        let (array, members) = match self {
            Element::Drive { .. } => return Some(Shape { level: None, groups: 1, spares: 0 }),
            Element::Cache { .. } => return None,
            Element::Array { array, members } => (array, members),
        };
        let inner = members[0].shape()?;
        if inner.level.is_none() && members.iter().all(|member| member.shape() == Some(inner)) {
            return Some(array.shape(members.len()));
        }
        let equal = members.iter().all(|member| {
            member.shape() == Some(inner) && member.drives().len() == members[0].drives().len()
        });
        let level = match inner.level? {
            Level::Raid1 => Level::Raid10,
            Level::Raid5 => Level::Raid50,
            Level::Raid6 => Level::Raid60,
            _ => return None,
        };
        let spares = inner.spares * members.len();
        let is_known = equal && array.level == Level::Raid0 && array.redundancy.spares == 0;
        is_known.then_some(Shape { level: Some(level), groups: members.len(), spares })
    }
}

impl Element {
    /// Drives that wait for a failure, and take no writes meanwhile.
    pub fn waiting(&self) -> usize {
        let Element::Array { array, members } = self else {
            return self.parts().iter().map(Element::waiting).sum();
        };
        let redundancy = &array.redundancy;
        let idle = redundancy.spares - redundancy.rebuilding().len();
        let (serving, spares) = members.split_at(members.len() - idle);
        let of_spares: usize = spares.iter().map(|member| member.drives().len()).sum();
        serving.iter().map(Element::waiting).sum::<usize>() + of_spares
    }
}

impl ArraySpec {
    /// The shape over so many drives, spares among them.
    fn shape(&self, members: usize) -> Shape {
        let spares = self.redundancy.spares;
        let groups = if self.level == Level::Raid10 { (members - spares) / 2 } else { self.groups };
        Shape { level: Some(self.level), groups, spares }
    }
}
