import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { type Redact, redactJson } from './redaction.ts'

// PIPE_BUF on Linux: a full pipe takes none of this many bytes, instead of cutting a line.
const ATOMIC_BYTES = 4096

/** Creates a logger that writes JSON lines or, if stdout is a terminal, lines for people. No line has a secret. */
export async function createLog(
  level: string,
  redact: Redact,
  fd: number = process.stdout.fd,
): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    hooks: { streamWrite: (line: string) => redactJson(line, redact) },
  }
  if (!process.stdout.isTTY) return pino(options, lossyStream(fd))
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss' }))
}

/**
 * Writes the lines of each turn of the event loop together: in a crowd, this saves much time. Drops lines that can't be
 * written: on a full disk, pino's own destination would stop the server.
 */
function lossyStream(fd: number) {
  let lines = ''
  function flush() {
    try {
      writeSync(fd, lines)
    } catch {
      // There is nowhere left to report it.
    }
    lines = ''
  }
  process.on('exit', flush)

  return {
    write(line: string) {
      if (lines === '') setImmediate(flush)
      else if (Buffer.byteLength(lines + line) > ATOMIC_BYTES) flush()
      lines += line
    },
  }
}
