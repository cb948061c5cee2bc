import type { KeptPlan } from '../plan.ts';

export const SEED_2000126: KeptPlan = {
  story:
    'A time that a cancelled meeting had is taken by another, and the meeting it had replaced is asked to be rescheduled once more: the check took that late request for what chose the time. In some runs a person disconnects while they consent: their new grant ended with the old one, and was kept.',
  isForgiving: true,
  waves: [
    {
      cells: ['book | B | dies before', 'bookfree | free/busy | answers 401'],
      wanted: ['book 230830684', 'bookfree 437121279', 'book 68883256', 'search 794181575', 'learn 1422052196'],
      calamities: [],
    },
    {
      cells: ['bookfree | caller | is late'],
      wanted: [
        'bookfree 122593794',
        'auto 1311974922',
        'update 1006036203',
        'bookfree 1468758420',
        'connect 689390586',
      ],
      calamities: ['a person deletes an event 2076311979 2'],
    },
    {
      cells: ['bookfree | C | is cut after', 'learn | write | answers 500'],
      wanted: ['bookfree 736451600', 'learn 2052469297', 'reschedule 2053372615', 'book 1154712394', 'sweep 18003421'],
      calamities: [],
    },
    {
      cells: ['auto | publish | answers 429'],
      wanted: ['auto 1001764257', 'connect 487313559', 'cancel 345378731', 'deliver 1176951192', 'book 206197022'],
      calamities: ['pushes come late and twice 1423907898 109'],
    },
    {
      cells: ['search | free/busy | answers 403 rate'],
      wanted: [
        'search 1008541707',
        'reschedule 367452581',
        'cancel 348504137',
        'reschedule 935341722',
        'update 159725840',
      ],
      calamities: ['old messages come again 901558880 118', 'old messages come again 689084241 68'],
    },
    {
      cells: ['auto | publish | answers 500', 'deliver | claim | never answers'],
      wanted: [
        'auto 2051544090',
        'deliver 1367823558',
        'disconnect 2043237607',
        'update 1149182378',
        'connect 387408397',
      ],
      calamities: [],
    },
    {
      cells: ['connect | zone | answers 403 rate'],
      wanted: [
        'connect 2079671130',
        'update 1966234900',
        'reschedule 1451036123',
        'bookfree 742100477',
        'deliver 912513401',
      ],
      calamities: ['messages are lost 560276646 27'],
    },
    {
      cells: ['reschedule | free/busy | answers 403 rate', 'job | free/busy | dies after'],
      wanted: ['reschedule 288483007', 'deliver 1949642496', 'cancel 460607497', 'book 1534832375', 'sweep 581410198'],
      calamities: ['clocks differ 1889336073 75', 'messages come twice 356767376 71'],
    },
    {
      cells: ['reschedule | answer | answers 500'],
      wanted: [
        'reschedule 261853593',
        'cancel 1865970679',
        'reschedule 631995674',
        'book 409054628',
        'connect 1852358832',
      ],
      calamities: ['connections are torn 2061184048 44'],
    },
    {
      cells: ['reschedule | free/busy | is cut before'],
      wanted: [
        'reschedule 454096294',
        'sweep 133043663',
        'reschedule 848201848',
        'deliver 1869541614',
        'bookfree 1842656625',
      ],
      calamities: [],
    },
  ],
};
