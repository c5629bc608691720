import compression from 'compression'
import express from 'express'
import { serve } from './serve.ts'

/** The common way to serve a page: static files, compressed for each request. */
process.once('message', ({ folder }: { folder: string }) => {
  serve(express().use(compression(), express.static(folder)))
})
