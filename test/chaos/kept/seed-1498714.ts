import type { KeptPlan } from '../plan.ts';

export const SEED_1498714: KeptPlan = {
  story:
    'A booking of a job stays unknown for a day, and it is a later run of the job that finds out: the booking’s end fails the job, the run fails it once more, and the platform is told twice.',
  isForgiving: false,
  waves: [
    {
      cells: ['search | rate | answers 500', 'book | caller | dies after'],
      wanted: ['search 913480695', 'book 1511166028', 'connect 1332773335', 'auto 1070550568', 'learn 1660613768'],
      calamities: ['access tokens run out 1622515302 106', 'messages come twice 1495712106 4'],
    },
    {
      cells: ['search | rate | is cut before'],
      wanted: ['search 1160557185', 'auto 276353785', 'reschedule 2034122799', 'sweep 1976488329', 'learn 1041058524'],
      calamities: [],
    },
    {
      cells: ['book | publish | is cut before', 'deliver | post | dies after'],
      wanted: ['book 187514379', 'deliver 1840400687', 'update 430389860', 'deliver 651823751', 'book 1187131485'],
      calamities: [],
    },
    {
      cells: ['cancel | C | is late'],
      wanted: ['cancel 731949275', 'sweep 382775177', 'auto 59102505', 'disconnect 1515819860', 'update 1615200496'],
      calamities: [],
    },
    {
      cells: ['job | C | answers 500'],
      wanted: ['deliver 1043447303', 'auto 1157005030', 'auto 2062932710', 'disconnect 1082764395', 'search 434492875'],
      calamities: [],
    },
    {
      cells: ['sweep | look | answers 403 rate', 'update | B | is cut after'],
      wanted: ['sweep 1509695067', 'update 1155706868', 'deliver 1825401212', 'connect 10875110', 'book 1987884042'],
      calamities: ['a person moves an event 714750028 77'],
    },
    {
      cells: ['sweep | look | is cut before'],
      wanted: ['sweep 132749860', 'reschedule 79720262', 'bookfree 1250131301', 'book 1997499671', 'update 240532615'],
      calamities: ['rows are held beyond a lease 826159914 102', 'messages come twice 1031936046 50'],
    },
    {
      cells: ['update | read | never answers', 'reschedule | A | is cut before'],
      wanted: [
        'update 240554794',
        'reschedule 1665465984',
        'bookfree 1501011008',
        'connect 675215888',
        'connect 2027841163',
      ],
      calamities: ['the clock jumps 234883755 64'],
    },
    {
      cells: ['update | C | is late'],
      wanted: ['update 2147198246', 'book 1864552059', 'book 939499422', 'disconnect 2078186296', 'update 94707753'],
      calamities: ['a person moves an event 331954550 56'],
    },
    {
      cells: ['update | C | dies before'],
      wanted: [
        'update 1996286329',
        'reschedule 393957075',
        'update 1495172078',
        'cancel 1312101552',
        'bookfree 2021770704',
      ],
      calamities: [],
    },
  ],
};
