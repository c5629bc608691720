import { copyFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Copies a database, with its journal, as it is in the middle of a change of all leads. */
export function interruptChange(from: string, to: string) {
  const writer = new Sqlite(from)
  writer.pragma('cache_size = 1')
  writer.exec("begin; update leads set message = 'half'; create table big as select zeroblob(1e6)")
  for (const suffix of ['', '-journal']) copyFileSync(`${from}${suffix}`, `${to}${suffix}`)
  writer.close()
}
