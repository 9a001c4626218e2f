//! Slots for what is in flight: taken and given back without allocating once the peak is reached. The slot taken is
//! always the one given back last, so that the memory in use stays small and warm.

/// Values in numbered slots.
#[derive(Clone)]
pub struct Slots<T> {
    slots: Vec<T>,
    free: Vec<u32>,
}

impl<T: Copy> Default for Slots<T> {
    fn default() -> Slots<T> {
        Slots::new()
    }
}

impl<T: Copy> Slots<T> {
    /// No slot taken.
    pub const fn new() -> Slots<T> {
        Slots { slots: Vec::new(), free: Vec::new() }
    }

    /// How many slots are taken.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes a slot: its number.
    pub fn insert(&mut self, value: T) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = value;
            return slot;
        }
        self.slots.push(value);
        self.slots.len() as u32 - 1
    }

    /// The value of a slot that is taken.
    pub fn get_mut(&mut self, slot: u32) -> &mut T {
        &mut self.slots[slot as usize]
    }

    /// The slot's value, taken or not; none where there never was one.
    pub fn get(&mut self, slot: u64) -> Option<&mut T> {
        self.slots.get_mut(usize::try_from(slot).ok()?)
    }

    /// All slots, taken or not.
    pub fn slots(&self) -> &[T] {
        &self.slots
    }

    /// Gives a slot back: what it held.
    pub fn remove(&mut self, slot: u32) -> T {
        self.free.push(slot);
        self.slots[slot as usize]
    }
}
