import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

/** Creates a logger that writes JSON lines or, if stdout is a terminal, lines for people. */
export async function createLog(level: string, fd: number = process.stdout.fd): Promise<Logger> {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }
  if (!process.stdout.isTTY) return pino(options, lossyStream(fd))
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss' }))
}

/** Drops lines that can't be written. On a full disk, pino's own destination would stop the server. */
const lossyStream = (fd: number) => ({
  write(line: string) {
    try {
      writeSync(fd, line)
    } catch {
      // There is nowhere left to report the error.
    }
  },
})
