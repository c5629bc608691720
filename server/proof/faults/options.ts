import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    database: { type: 'string', default: 'sqlite' },
  },
})

if (!['sqlite', 'postgres'].includes(values.database))
  throw new Error('--database must be sqlite or postgres')

export const options = { ...values, database: values.database as 'sqlite' | 'postgres' }
