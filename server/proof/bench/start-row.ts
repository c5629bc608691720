import { median } from '../testing/percentile.ts'
import { launchProgram } from '../testing/start-program.ts'
import type { Row } from './row.ts'

const STARTS = 9

/** Measures the time from the launch of the program until it is ready, with the database in this data directory. */
export async function startRow(figure: string, dataDir: string): Promise<Row> {
  const times: number[] = []
  for (let count = 0; count < STARTS; count++) {
    const startedAt = performance.now()
    const program = launchProgram({ DATA_DIR: dataDir })
    await program.ready
    times.push(performance.now() - startedAt)
    await program.stop()
  }
  return { figure, unit: 'ms', ours: median(times), target: { atMost: 1_000 } }
}
