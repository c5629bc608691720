import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** JSON lines on stdout, one an event; readable ones on a terminal. */
export function createLog(level: string): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }
  if (!process.stdout.isTTY) return pino(options)
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss' }))
}
