import type { KeptPlan } from '../plan.ts';

export const SEED_7011: KeptPlan = {
  story:
    'A person gives an event no length, and the platform then has other times offered for its meeting: each request was answered with 500.',
  isForgiving: true,
  doesOffer: false,
  waves: [
    {
      cells: ['bookfree | rate | is cut after', 'book | B | dies before'],
      wanted: [
        'bookfree 400553543',
        'book 1614687877',
        'withdraw 211107984',
        'withdraw 2144177410',
        'propose 1128739986',
      ],
      calamities: ['a person makes an event all-day 1891325678 39', 'access tokens run out 575584053 21'],
    },
    {
      cells: ['bookfree | free/busy | dies before'],
      wanted: ['bookfree 387239561', 'update 1002171874', 'batch 1008009312', 'propose 992136875', 'auto 261604366'],
      calamities: ['two Workers remember a key that is replaced 843820224 60'],
    },
    {
      cells: ['bookfree | caller | answers 500', 'bookfree | C | never answers'],
      wanted: [
        'bookfree 490380277',
        'bookfree 1905321733',
        'choose 1986487715',
        'bookfree 1496804931',
        'deliver 1294055490',
      ],
      calamities: ['messages are lost 1404467772 117', 'Redis is emptied 638189220 32'],
    },
    {
      cells: ['round | B | answers 401'],
      wanted: [
        'deliver 1643959098',
        'offer 396098893',
        'deliver 1894288078',
        'auto 1121793004',
        'reschedule 1408873461',
      ],
      calamities: [],
    },
    {
      cells: ['refuse | page | is cut before'],
      wanted: [
        'refuse 469598449',
        'reschedule 1633669594',
        'cancel 893583149',
        'choose 966589750',
        'connect 1270124063',
      ],
      calamities: [],
    },
    {
      cells: ['accept | B | answers 429', 'update | caller | is cut before'],
      wanted: ['accept 1457167824', 'update 714136886', 'offer 342351418', 'refuse 689805155', 'reschedule 1983388329'],
      calamities: [],
    },
    {
      cells: ['accept | A | is cut after'],
      wanted: ['accept 1982174820', 'deliver 1260959832', 'decline 310275515', 'batch 206007056', 'accept 1988010232'],
      calamities: ['a calendar fills up at an offered time 1949361740 50'],
    },
    {
      cells: ['batchcommit | caller | is cut after', 'batchcommit | rate | dies before'],
      wanted: [
        'batchcommit 1320902711',
        'batchcommit 772987818',
        'accept 70342923',
        'choose 2084485793',
        'withdraw 1522753658',
      ],
      calamities: [
        'a person gives an event no length 1528667509 73',
        'a person declines and accepts again 1534539623 102',
      ],
    },
    {
      cells: ['round | search | is cut before'],
      wanted: ['deliver 1209461869', 'choose 2007974407', 'book 781544171', 'accept 2117415861', 'batchstop 645464548'],
      calamities: ['a person moves an event 1128249063 88'],
    },
    {
      cells: ['round | search | answers 500'],
      wanted: ['deliver 853178705', 'batch 1067880852', 'batchstop 1133611303', 'sweep 2056990061', 'offer 1446786511'],
      calamities: ['messages are lost 1729818957 69'],
    },
  ],
};
