//! What Windows and ESXi call their disks' counters.
//!
//! Windows writes the names of its own language into a log. Those of English, German, French, Spanish and Italian editions
//! are known here (Microsoft's documentation in these languages), others are refused with the way to English ones. Units: seconds
//! on Windows, milliseconds on ESXi, whose `MBytes` are MiB (VMware, "Interpreting esxtop statistics").

use crate::report::choice::RANK_TOTAL;

/// What a counter measures of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    Reads,
    Writes,
    Transfers,
    ReadBytes,
    WrittenBytes,
    ReadMib,
    WrittenMib,
    ReadSeconds,
    WriteSeconds,
    Seconds,
    ReadMs,
    WriteMs,
    Ms,
    ReadSize,
    WriteSize,
    Depth,
    /// At the moment of the sample, no mean.
    DepthNow,
    Idle,
}

/// How many there are.
pub(super) const COUNTERS: usize = Counter::Idle as usize + 1;

/// A kind of disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    /// What precedes the disk's name; nothing for the disks that matter most.
    pub(super) label: &'static str,
    /// Lower is taken first of disks that moved the same.
    pub(super) rank: u8,
    pub(super) esxtop: bool,
}

const fn object(label: &'static str, rank: u8, esxtop: bool) -> Object {
    Object { label, rank, esxtop }
}

/// The kind of disk that an object of a counter path is.
pub(super) fn object_of(name: &str) -> Option<Object> {
    Some(match name.to_lowercase().as_str() {
        "physicaldisk"
        | "physikalischer datenträger"
        | "physischer datenträger"
        | "disque physique"
        | "disco físico"
        | "disco fisico" => object("", 0, false),
        "logicaldisk" | "logischer datenträger" | "disque logique" | "disco lógico" | "disco logico" => {
            object("LogicalDisk ", 1, false)
        }
        "physical disk scsi device" => object("", 0, true),
        // What a datastore on NFS does is not of any SCSI device.
        "physical disk nfs volume" => object("NFS Volume ", 0, true),
        "virtual disk" => object("Virtual Disk ", 1, true),
        // A sum over its disks.
        "physical disk adapter" => object("Physical Disk Adapter ", RANK_TOTAL, true),
        "physical disk" => object("Physical Disk ", 1, true),
        _ => return None,
    })
}

const NAMES: &[(&str, Counter)] = &[
    // Windows, English
    ("disk reads/sec", Counter::Reads),
    ("disk writes/sec", Counter::Writes),
    ("disk transfers/sec", Counter::Transfers),
    ("disk read bytes/sec", Counter::ReadBytes),
    ("disk write bytes/sec", Counter::WrittenBytes),
    ("avg. disk sec/read", Counter::ReadSeconds),
    ("avg. disk sec/write", Counter::WriteSeconds),
    ("avg. disk sec/transfer", Counter::Seconds),
    ("avg. disk bytes/read", Counter::ReadSize),
    ("avg. disk bytes/write", Counter::WriteSize),
    ("avg. disk queue length", Counter::Depth),
    ("current disk queue length", Counter::DepthNow),
    ("% idle time", Counter::Idle),
    // German
    ("lesevorgänge/s", Counter::Reads),
    ("schreibvorgänge/s", Counter::Writes),
    ("übertragungen/s", Counter::Transfers),
    ("bytes gelesen/s", Counter::ReadBytes),
    ("byte gelesen/s", Counter::ReadBytes),
    ("bytes geschrieben/s", Counter::WrittenBytes),
    ("byte geschrieben/s", Counter::WrittenBytes),
    ("mittlere sek./lesevorgänge", Counter::ReadSeconds),
    ("mittlere sek./schreibvorgänge", Counter::WriteSeconds),
    ("mittlere sek./übertragung", Counter::Seconds),
    ("durchschnittl. warteschlangenlänge des datenträgers", Counter::Depth),
    ("aktuelle warteschlangenlänge", Counter::DepthNow),
    ("leerlaufzeit (%)", Counter::Idle),
    // French
    ("lectures disque/s", Counter::Reads),
    ("écritures disque/s", Counter::Writes),
    ("transferts disque/s", Counter::Transfers),
    ("lectures disque, octets/s", Counter::ReadBytes),
    ("écritures disque, octets/s", Counter::WrittenBytes),
    ("moyenne disque s/lecture", Counter::ReadSeconds),
    ("moyenne disque s/écriture", Counter::WriteSeconds),
    ("moyenne disque s/transfert", Counter::Seconds),
    ("moyenne disque, octets/lecture", Counter::ReadSize),
    ("moyenne disque, octets/écriture", Counter::WriteSize),
    ("longueur moyenne de file d'attente du disque", Counter::Depth),
    ("taille de file d'attente du disque actuelle", Counter::DepthNow),
    ("% d'inactivité", Counter::Idle),
    // Spanish
    ("lecturas de disco/s", Counter::Reads),
    ("lecturas en disco/s", Counter::Reads),
    ("escrituras de disco/s", Counter::Writes),
    ("escrituras en disco/s", Counter::Writes),
    ("transferencias de disco/s", Counter::Transfers),
    ("bytes de lectura de disco/s", Counter::ReadBytes),
    ("bytes de lectura en disco/s", Counter::ReadBytes),
    ("bytes de escritura de disco/s", Counter::WrittenBytes),
    ("bytes de escritura en disco/s", Counter::WrittenBytes),
    // Italian
    ("letture disco/sec", Counter::Reads),
    ("scritture disco/sec", Counter::Writes),
    ("byte letti da disco/sec", Counter::ReadBytes),
    ("byte scritti su disco/sec", Counter::WrittenBytes),
    // ESXi
    ("reads/sec", Counter::Reads),
    ("writes/sec", Counter::Writes),
    ("commands/sec", Counter::Transfers),
    ("mbytes read/sec", Counter::ReadMib),
    ("mbytes written/sec", Counter::WrittenMib),
    ("average guest millisec/read", Counter::ReadMs),
    ("average guest millisec/write", Counter::WriteMs),
    ("average guest millisec/command", Counter::Ms),
    ("average millisec/read", Counter::ReadMs),
    ("average millisec/write", Counter::WriteMs),
];

/// What a counter measures.
pub(super) fn counter_of(name: &str) -> Option<Counter> {
    let plain = name.trim().to_lowercase().replace('’', "'");
    NAMES.iter().find(|(known, _)| *known == plain).map(|(_, counter)| *counter)
}
