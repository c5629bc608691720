import './check-business.ts'
import { countSamples } from './leads/spam/count-samples.ts'
import { readCorpus } from './leads/spam/read-corpus.ts'
import { writeSamples } from './leads/spam/samples-file.ts'

// The server runs from its sources. Only counting the words of the spam samples would take too long at each start.
writeSamples(countSamples([...readCorpus(''), ...readCorpus('final-')]))
