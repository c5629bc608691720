import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

/** JSON lines on stdout, one an event; readable ones on a terminal. */
export async function createLog(level: string, fd: number = process.stdout.fd): Promise<Logger> {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }
  if (!process.stdout.isTTY) return pino(options, dispensableLines(fd))
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss' }))
}

/**
 * Drops a line that cannot be written: a lead is worth more than a log. With pino's own destination a full disk under
 * a redirected stdout ends in an uncaught error, and then in a flush at exit that tries again forever.
 */
const dispensableLines = (fd: number) => ({
  write(line: string) {
    try {
      writeSync(fd, line)
    } catch {
      // There is nowhere to say it.
    }
  },
})
