// This file is JavaScript, because an old Node.js can't run TypeScript: it would only say "Unknown
// file extension .ts".
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const needed = Number(/\d+/.exec(engines.node)[0])
const present = process.versions.node

if (parseInt(present, 10) < needed) {
  process.stderr.write(
    `This program needs Node.js ${needed} or newer, but this is ${present}. Use npm (npm start, npm run doctor): it finds the version that "npm ci" installs on Linux and Windows. Or install Node.js from https://nodejs.org.\n`,
  )
  process.exit(1)
}

// Node.js would go on without any setting.
try {
  readFileSync('.env')
} catch ({ code, message }) {
  if (code !== 'ENOENT') {
    process.stderr.write(`.env cannot be read. Give it to the user who runs this: ${message}\n`)
    process.exit(1)
  }
}
