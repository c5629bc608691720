import '../start/check-business.ts'
import { countSamples, readCorpus, writeSamples } from './samples.ts'

// The server runs from its sources. Only counting the words of the spam samples would take too long
// at each start.
writeSamples(countSamples([...readCorpus(''), ...readCorpus('final-')]))
