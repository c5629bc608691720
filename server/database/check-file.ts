import Sqlite from 'better-sqlite3'
import { isDiskFailure } from './storage-error.ts'

// This program runs as a child process. It prints "ok", or what is wrong with the given database file.

function check(file: string): string {
  try {
    return String(new Sqlite(file, { readonly: true }).pragma('quick_check(1)', { simple: true }))
  } catch (error) {
    if (isDiskFailure(error)) return error.message
    throw error
  }
}

process.stdout.write(check(process.argv[2] ?? ''))
