import { installFor, missing } from './needs.ts'

// `npm test` runs this first. The unit tests themselves install nothing.
installFor(['postgres'])
const [reason] = missing(['postgres'])
if (reason) process.stderr.write(`${reason}: its tests will be SKIPPED.\n`)
