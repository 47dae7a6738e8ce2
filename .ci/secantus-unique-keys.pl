# Changes secantus-storage/src/lib.rs: an update gives up the unique keys that the document had, and takes those that it gets.
s/fn write_index_entries\(/fn move_unique_keys(
        &self, session: &Session, db: &str, coll: &str, old: &Document, new: &Document, descs: &[IndexDesc], recordid: i64, changed: [&EntryOps; 2],
    ) -> Result<()> {
        let moved: Vec<IndexDesc> = descs.iter()
            .filter(|d| d.unique && d.name != "_id_" && changed.iter().any(|ops| ops.iter().any(|(name, _)| *name == d.name)))
            .cloned()
            .collect();
        if moved.is_empty() {
            return Ok(());
        }
        self.delete_index_entries(session, db, coll, old, &moved, recordid)?;
        self.write_index_entries(session, db, coll, new, &moved, recordid)
    }

    fn write_index_entries(/;
s/(index_entry_diff\((&\w+), (&\w+), &descs, recordid\)\?;\s*)(self\.insert_index_entries\((&?session), db, coll, &additions\)\?;)/$1self.move_unique_keys($5, db, coll, $2, $3, &descs, recordid, [&additions, &removals])?;\n$4/g;
