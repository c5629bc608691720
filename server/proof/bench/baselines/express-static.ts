import compression from 'compression'
import express from 'express'
import { serve } from './serve.ts'

/** The common way: static files, compressed per request. */
process.once('message', ({ folder }: { folder: string }) => {
  serve(express().use(compression(), express.static(folder)))
})
