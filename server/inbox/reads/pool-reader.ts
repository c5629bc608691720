import { connect } from '../../database/postgres.ts'
import { type Input, type ReadName, runRead } from './reads.ts'

/** Reads a PostgreSQL database on separate connections, so that visitors never wait for a read. */
export function createPoolReader(url: string) {
  const db = connect(url, 'owner')
  return {
    run: <Name extends ReadName>(name: Name, input: Input<Name>) => runRead(db, name, input),
    /** Doesn't wait for running statements, because waiting would delay the shutdown. */
    stop() {
      db.destroy().catch(() => {})
    },
  }
}
