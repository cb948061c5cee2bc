import type { KeptPlan } from '../plan.ts';

export const SEED_2000163: KeptPlan = {
  story:
    'A meeting is moved twice by Workers whose clocks differ: the check took the moves in the order those clocks gave them.',
  isForgiving: true,
  waves: [
    {
      cells: ['deliver | claim | never answers', 'book | answer | is late'],
      wanted: ['deliver 248637514', 'book 1124586997', 'book 2081732697', 'bookfree 1320695406', 'bookfree 1458917952'],
      calamities: [],
    },
    {
      cells: ['bookfree | B | dies before'],
      wanted: ['bookfree 1675128267', 'book 967044532', 'bookfree 1168389150', 'connect 36290394', 'auto 944815074'],
      calamities: ['a person deletes an event 54862113 69'],
    },
    {
      cells: ['bookfree | free/busy | is cut before', 'auto | caller | dies after'],
      wanted: ['bookfree 957815854', 'auto 1923030140', 'sweep 797280166', 'update 1860629172', 'auto 804700044'],
      calamities: [],
    },
    {
      cells: ['deliver | record | dies before'],
      wanted: [
        'deliver 812716294',
        'cancel 1012051089',
        'reschedule 2029006191',
        'update 1665957449',
        'update 1897425188',
      ],
      calamities: ['pushes are lost 1960415283 1'],
    },
    {
      cells: ['reschedule | answer | answers 500'],
      wanted: [
        'reschedule 232146134',
        'bookfree 1413298281',
        'update 439039355',
        'update 2143962836',
        'deliver 1127796623',
      ],
      calamities: ['clocks differ 1912242542 5'],
    },
    {
      cells: ['reschedule | free/busy | is cut before', 'connect | zone | answers 429'],
      wanted: [
        'reschedule 1347251194',
        'connect 447882950',
        'learn 2130070689',
        'update 1500333825',
        'deliver 1642623783',
      ],
      calamities: ['the clock jumps 1492772733 99'],
    },
    {
      cells: ['refresh | token | answers 401'],
      wanted: ['search 612953065', 'book 1906587226', 'learn 1663351853', 'learn 437328034', 'sweep 829143614'],
      calamities: ['the Worker dies 1571597790 66', 'clocks differ 1672941264 119'],
    },
    {
      cells: ['job | B | is cut after', 'reschedule | caller | never answers'],
      wanted: [
        'deliver 1889000595',
        'reschedule 997119231',
        'auto 899712325',
        'disconnect 203674105',
        'search 1511804118',
      ],
      calamities: ['clocks differ 658369701 70', 'pushes are lost 646152854 45'],
    },
    {
      cells: ['refresh | save | is cut before'],
      wanted: [
        'search 330750734',
        'sweep 1301015731',
        'bookfree 1865508134',
        'cancel 1090166857',
        'deliver 1799818232',
      ],
      calamities: ['access tokens run out 1154323712 14', 'old messages come again 1429595395 46'],
    },
    {
      cells: ['job | claim | dies before'],
      wanted: ['deliver 957512848', 'reschedule 204864265', 'deliver 915561063', 'connect 38520513', 'auto 287280560'],
      calamities: ['rows are held beyond a lease 1729227178 35', 'pushes are lost 984158220 62'],
    },
  ],
};
