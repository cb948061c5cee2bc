import type { KeptPlan } from '../plan.ts';

export const SEED_7: KeptPlan = {
  story:
    'A grant ends while a booking is not settled: after a day it is called off, never told as made, and each platform gets its link to consent again. The check took the publishable key in that link for a secret.',
  isForgiving: true,
  waves: [
    {
      cells: ['refresh | token | answers 429', 'search | rate | is late'],
      wanted: ['search 1626516293', 'search 339357700', 'search 1380260554', 'auto 1545993058', 'deliver 754455106'],
      calamities: ['the clock jumps 608745924 13', 'messages come twice 255898526 57'],
    },
    {
      cells: ['deliver | record | answers 500', 'cancel | A | is cut after'],
      wanted: ['deliver 1736716416', 'cancel 1318198279', 'search 1377582386', 'book 406517696', 'connect 1847732955'],
      calamities: [],
    },
    {
      cells: ['reschedule | rate | is cut after', 'job | claim | answers 500'],
      wanted: [
        'reschedule 447959864',
        'deliver 980509450',
        'cancel 1752019387',
        'bookfree 707368790',
        'auto 346349727',
      ],
      calamities: ['the stack dies 102620942 111'],
    },
    {
      cells: ['deliver | post | answers 404', 'cancel | C | is cut before'],
      wanted: ['deliver 1289965849', 'cancel 1296573376', 'deliver 394526344', 'sweep 2134472088', 'update 1790169802'],
      calamities: ['a person takes access away 1071312650 106'],
    },
    {
      cells: ['auto | caller | is cut before'],
      wanted: ['auto 2104502302', 'auto 539508188', 'reschedule 402597190', 'auto 1870708725', 'learn 994476618'],
      calamities: [],
    },
    {
      cells: ['cancel | B | is late'],
      wanted: ['cancel 416683378', 'update 778042059', 'sweep 1925847383', 'disconnect 531558304', 'update 653456448'],
      calamities: [],
    },
    {
      cells: ['learn | caller | never answers'],
      wanted: ['learn 787854797', 'search 292896082', 'auto 150087039', 'bookfree 263239627', 'connect 1834004211'],
      calamities: ['clocks differ 1388259885 82', 'old messages come again 1603585175 82'],
    },
    {
      cells: ['book | B | answers 500'],
      wanted: [
        'book 1392512017',
        'deliver 2147014104',
        'deliver 1066698463',
        'search 1865332632',
        'bookfree 2015941316',
      ],
      calamities: ['a person deletes an event 1904443534 20'],
    },
    {
      cells: ['book | C | answers 500'],
      wanted: ['book 959621712', 'cancel 270384420', 'learn 1092075187', 'auto 1776413930', 'auto 1967261911'],
      calamities: ['the clock jumps 1349395003 49', 'a person takes access away 420595732 52'],
    },
    {
      cells: ['learn | rate | dies before'],
      wanted: ['learn 797922043', 'search 1472715075', 'update 1250857931', 'bookfree 2100610011', 'auto 841520107'],
      calamities: ['rows are held beyond a lease 472452201 83'],
    },
  ],
};
