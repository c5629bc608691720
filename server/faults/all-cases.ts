import { controls } from './cases/controls.ts'
import { fullDisk } from './cases/full-disk.ts'
import { ioErrors } from './cases/io-errors.ts'
import { kills } from './cases/kills.ts'
import { powerCuts } from './cases/power-cut.ts'
import { relayReplies } from './cases/relay-replies.ts'
import { relaySilence } from './cases/relay-silence.ts'
import { starts } from './cases/start.ts'
import { systemCallKills } from './cases/system-calls.ts'
import type { FaultCase } from './fault-case.ts'

export const allCases: readonly FaultCase[] = [
  ...kills,
  ...systemCallKills,
  ...ioErrors,
  ...fullDisk,
  ...starts,
  ...powerCuts,
  ...relaySilence,
  ...relayReplies,
  ...controls,
]
