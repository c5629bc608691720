import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { type Redact, redactJson } from './errors/redaction.ts'

/**
 * Creates a logger that writes JSON lines or, if stdout is a terminal, lines for people. No line
 * has a secret.
 */
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
  // Drops lines that can't be written: on a full disk, pino's own destination would stop the
  // server.
  const write = (line: string) => {
    try {
      writeSync(fd, line)
    } catch {
      // There is nowhere left to report it.
    }
  }
  if (!process.stdout.isTTY) return pino(options, { write })
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss' }))
}
