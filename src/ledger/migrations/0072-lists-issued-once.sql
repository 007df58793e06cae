-- The act of issuing a list that was uploaded names the upload (`detail`), and is written in one transaction with its run. Each upload is issued
-- once, whoever holds its lock.

CREATE UNIQUE INDEX console_act_of_issued_list ON console_act (detail) WHERE act = 'issued a list';
