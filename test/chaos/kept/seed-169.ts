import type { KeptPlan } from '../plan.ts';

export const SEED_169: KeptPlan = {
  story:
    "Two Workers whose clocks differ: a time that need not be free was booked over one that must be, and by the writers' clocks it was there first. The check compared the clocks; it asks now which of the two counted the other.",
  isForgiving: true,
  waves: [
    {
      cells: ['search | caller | is late', 'book | caller | dies after'],
      wanted: ['search 1255347606', 'book 1189263698', 'update 1131195636', 'search 1233626347', 'book 2124151024'],
      calamities: ['clocks differ 1253384480 33', 'connections are torn 2059410181 19'],
    },
    {
      cells: ['search | caller | is cut after'],
      wanted: ['search 1145490474', 'search 354780505', 'book 783610372', 'bookfree 201949686', 'search 2050330210'],
      calamities: ['a person takes access away 740651354 98'],
    },
    {
      cells: ['book | publish | never answers', 'deliver | post | answers 500'],
      wanted: [
        'book 235835816',
        'deliver 599312763',
        'sweep 1108200818',
        'disconnect 2099413191',
        'deliver 1416727589',
      ],
      calamities: ['connections are torn 1055680248 3'],
    },
    {
      cells: ['deliver | post | is cut after'],
      wanted: ['deliver 101078230', 'update 160255759', 'sweep 2039359872', 'auto 119123102', 'sweep 717393462'],
      calamities: ['the Worker dies 1950069910 71'],
    },
    {
      cells: ['book | caller | answers 500'],
      wanted: ['book 2001519995', 'update 1013767275', 'deliver 365840881', 'sweep 95667544', 'auto 757677014'],
      calamities: ['access tokens run out 1817869041 72', 'messages come twice 1973919444 35'],
    },
    {
      cells: ['update | B | is late', 'sweep | claim | is cut after'],
      wanted: ['update 2007236675', 'sweep 519135511', 'connect 69771780', 'sweep 173016144', 'bookfree 1041425333'],
      calamities: ['a person answers an invitation 1459382292 111'],
    },
    {
      cells: ['update | C | dies before'],
      wanted: ['update 1848916645', 'book 732456878', 'search 2025618299', 'auto 691746466', 'update 1064869651'],
      calamities: ['a person moves an event 1958252434 90', 'pushes are lost 31782079 62'],
    },
    {
      cells: ['reschedule | rate | dies before', 'update | B | answers 403 rate'],
      wanted: [
        'reschedule 1648990394',
        'update 1291901309',
        'deliver 222967248',
        'learn 1328535624',
        'bookfree 1708490761',
      ],
      calamities: ['rows are held beyond a lease 71509040 115', 'the clock jumps 1985644859 34'],
    },
    {
      cells: ['update | C | is late'],
      wanted: ['update 754442305', 'connect 1804821265', 'bookfree 1099722012', 'learn 694844176', 'auto 857144590'],
      calamities: ['a person answers an invitation 316159620 18', 'a person moves an event 2100605962 58'],
    },
    {
      cells: ['reschedule | B | answers 403 rate'],
      wanted: [
        'reschedule 1867479783',
        'bookfree 398546578',
        'book 1427622835',
        'auto 789773439',
        'bookfree 732091842',
      ],
      calamities: ['clocks differ 1272712115 46', 'Redis is emptied 352719734 47'],
    },
  ],
};
