//! The commands a disk holds, and the choice among them.
//!
//! **Model.** Shortest positioning time first (SPTF): of all commands held, the one whose first sector can be under its
//! head soonest (seek and rotation together). Greedy choices can pass over a far command for ever, so **ageing** bounds
//! them: a command that was passed over [`PASSES_PER_COMMAND`] times for each place in the queue goes next, oldest first.
//! At the mean wait of one pass a place this is far in the tail: it bounds the worst case and leaves the mean as it is.
//!
//! The elevator (LOOK: SCAN that turns round at the last command instead of at the rim) moves to the next cylinder with a
//! command in the direction of the arm, in order of arrival within a cylinder, and knows nothing of rotation.
//!
//! **Sources.** Seltzer, Chen and Ousterhout, *Disk scheduling revisited*, 1990; Jacobson and Wilkes, *Disk scheduling
//! algorithms based on rotational position*, HPL-CSP-91-7, 1991 (aged SPTF). The bound of 16 is assumed.

use super::mechanism::Mechanism;
use super::rotation::{ANGLE, SLACK};
use drivecast_block::{Nanos, Op};

/// Times a command may be passed over, for each place in the queue.
pub(super) const PASSES_PER_COMMAND: u64 = 16;

/// A command that needs the medium.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command {
    pub(super) id: u64,
    pub(super) op: Op,
    /// First sector needed from the medium.
    pub(super) lba: u64,
    /// The sector after the last.
    pub(super) end: u64,
    /// When its data may be on the medium's side, for a write.
    pub(super) ready: Nanos,
    /// When what the buffer has of a read has crossed the link.
    pub(super) crossed: Nanos,
    /// Order of submission.
    pub(super) order: u64,
    /// Choices made before it came.
    pub(super) passes: u64,
}

/// Commands with what positioning needs of them in columns of their own: a choice reads these from front to back.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    cylinder: Vec<u32>,
    head: Vec<u32>,
    angle: Vec<u32>,
    settle: Vec<u32>,
    commands: Vec<Command>,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.commands.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    pub(super) fn push(&mut self, command: Command, mechanism: &Mechanism) {
        let place = mechanism.geometry.locate(command.lba);
        self.cylinder.push(place.cylinder);
        self.head.push(place.head);
        self.angle.push(place.angle.wrapping_add(SLACK));
        self.settle.push(if command.op == Op::Write { mechanism.write_settle } else { 0 });
        self.commands.push(command);
    }

    pub(super) fn take(&mut self, index: usize) -> Command {
        self.cylinder.swap_remove(index);
        self.head.swap_remove(index);
        self.angle.swap_remove(index);
        self.settle.swap_remove(index);
        self.commands.swap_remove(index)
    }

    /// The command with the shortest positioning time from the heads' place at `angle`.
    pub(super) fn nearest(&self, mechanism: &Mechanism, angle: u32) -> Option<usize> {
        let n = self.commands.len();
        let (cylinder, head) = (&self.cylinder[..n], &self.head[..n]);
        let (target, settle) = (&self.angle[..n], &self.settle[..n]);
        let mut best = (0, u32::MAX);
        for i in 0..n {
            let travel = mechanism.travel(cylinder[i], head[i], settle[i]);
            let time = travel + (target[i].wrapping_sub(angle).wrapping_sub(travel) & ANGLE);
            if time < best.1 {
                best = (i, time);
            }
        }
        (best.1 < u32::MAX).then_some(best.0)
    }

    /// The eligible command of the next cylinder inwards or outwards of `from`, that one included.
    pub(super) fn ahead(
        &self,
        from: u32,
        is_inward: bool,
        is_eligible: impl Fn(&Command) -> bool,
    ) -> Option<usize> {
        let is_ahead = |cylinder: u32| if is_inward { cylinder >= from } else { cylinder <= from };
        let candidates = (0..self.commands.len())
            .filter(|&i| is_ahead(self.cylinder[i]) && is_eligible(&self.commands[i]));
        candidates.min_by_key(|&i| (self.cylinder[i].abs_diff(from), self.commands[i].order))
    }

    /// The command submitted first.
    pub(super) fn oldest(&self) -> Option<usize> {
        let orders = self.commands.iter().map(|command| command.order).enumerate();
        orders.min_by_key(|(_, order)| *order).map(|(index, _)| index)
    }

    pub(super) fn cylinder(&self, index: usize) -> u32 {
        self.cylinder[index]
    }

    pub(super) fn first(&self) -> Option<&Command> {
        self.commands.first()
    }

    pub(super) fn get(&self, index: usize) -> &Command {
        &self.commands[index]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Command> {
        self.commands.iter()
    }
}
